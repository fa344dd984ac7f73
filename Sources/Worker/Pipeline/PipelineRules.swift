/// What a pipeline works by, and what a new configuration replaces.
struct PipelineRules {
    /// Resolves activities or applies items; it belongs to the pipeline's thread.
    let work: PipelineWork
    /// The further reply queues that requests may name.
    let replyTo: ReplyPatterns
}

extension Pipeline {
    /// Takes new rules over, between two batches; what is held is resolved by them.
    mutating func takeSuccessor() {
        guard resolverWait == nil, let rules = control.takeSuccessor() else { return }
        adopt(rules)
        log.debug("took a new configuration over")
    }

    /// Works by these rules from now on.
    mutating func adopt(_ rules: PipelineRules) {
        work = rules.work
        choosesApps = rules.work.choosesApps
        replyPolicy = Self.replyPolicy(rules.replyTo, settings)
    }

    /// Judges `reply_to` by the patterns.
    static func replyPolicy(_ patterns: ReplyPatterns, _ settings: WorkerSettings) -> ReplyPolicy {
        ReplyPolicy(
            replyQueue: settings.replyQueue,
            ownQueues: [settings.queue, settings.deadQueue, settings.itemsQueue], patterns: patterns)
    }
}
