import TestSupport

/// A queue whose process does not run: it takes, confirms and answers nothing, as one that has lost its quorum.
final class FrozenQueue {
    private let freezer: String

    /// Suspends the process of a queue until `thaw`, or until this value goes.
    init(_ name: String) throws {
        freezer = "freezer_\(UInt32.random(in: .min ... .max))"
        try Broker.control(
            "eval",
            """
            {ok, Queue} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"\(name)">>)),
            Process = case amqqueue:get_pid(Queue) of {Name, _} -> whereis(Name); Pid -> Pid end,
            Asker = self(),
            spawn(fun() ->
                register(\(freezer), self()), erlang:suspend_process(Process), Asker ! frozen, receive thaw -> ok end
            end),
            receive frozen -> ok after 5000 -> error(not_frozen) end.
            """)
    }

    deinit { try? thaw() }

    /// Lets the queue go on; a process that is suspended goes on when the one that suspended it ends.
    func thaw() throws { try Broker.control("eval", "catch \(freezer) ! thaw.") }
}
