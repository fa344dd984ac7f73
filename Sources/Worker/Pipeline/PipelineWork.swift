internal import AMQP
internal import Activities
internal import Items
internal import PersistentStore

/// What a pipeline does with its messages: it answers requests, or applies items.
enum PipelineWork {
    /// Activities are resolved, and answered.
    case resolving(any ActivityResolving)
    /// Items are applied to a catalog, and not answered.
    case applying(any ItemApplying)

    /// Whether messages are answered.
    var answers: Bool {
        switch self {
        case .resolving: true
        case .applying: false
        }
    }

    /// Whether activities must carry their request's `app_id`.
    var choosesApps: Bool {
        switch self {
        case .resolving(let resolver): resolver.choosesApps
        case .applying: false
        }
    }

    /// Goes on with a batch that was pending.
    func resume() -> ResolvingProgress {
        switch self {
        case .resolving(let resolver): resolver.resume()
        case .applying(let applier): applier.resume()
        }
    }
}

/// What is tried to see whether a store answers again: a message that met the outage.
enum StoreProbe {
    case activity(Activity)
    case items(ItemMessage)
}
