import Glibc

/// How many files and sockets the process may have open.
enum DescriptorLimit {
    /// What one pipeline needs at most, with the health server's clients and the files of the stores.
    private static let base: rlim_t = 40
    /// What each further pipeline needs.
    private static let perPipeline: rlim_t = 12

    /// How many the process may have open now.
    static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many pipelines need.
    static func needed(forPipelines count: Int) -> Int { Int(base) + Int(perPipeline) * (count - 1) }

    /// Raises the limit as far as the system allows, and throws when that is too little to work with.
    static func ensure(forPipelines count: Int) throws(CommandFailure) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let needed = base + perPipeline * rlim_t(count - 1)
        if limit.rlim_cur < needed, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = min(needed, limit.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard limit.rlim_cur < needed else { return }
        throw CommandFailure(
            .configuration,
            "The worker may open only \(limit.rlim_cur) files and sockets; it needs \(needed). Raise the limit: ulimit -n \(needed)."
        )
    }
}
