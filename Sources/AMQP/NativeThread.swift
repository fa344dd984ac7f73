internal import CRabbitMQ
internal import Glibc

/// A thread of the operating system, for work that blocks or needs a stack of its own size.
@safe
package struct NativeThread: ~Copyable {
    private let handle: pthread_t

    /// Starts a thread that runs `body`; its name shows in the system's tools, at most 15 bytes.
    ///
    /// Stack memory is only used as far as it is touched. Throws when the process may have no more threads.
    package init(name: String, stackByteCount: Int, _ body: @escaping @Sendable () -> Void) throws(AMQPError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, stackByteCount)
        defer { unsafe pthread_attr_destroy(&attributes) }
        let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        var started = pthread_t()
        let status = unsafe pthread_create(
            &started, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, work)
        guard status == 0 else {
            unsafe Unmanaged<Work>.fromOpaque(work).release()
            throw AMQPError(
                .unreachable,
                "No thread can be started: \(SystemError.text(status)). Raise the limits of threads and memory.")
        }
        unsafe crabbitmq_name_thread(started, name)
        handle = started
    }

    /// Waits until the thread has ended.
    package consuming func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread end by itself.
    package consuming func detach() {
        _ = pthread_detach(handle)
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
