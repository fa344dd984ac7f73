internal import Activities
internal import PersistentStore

/// Activities on their way through the rules and the stores, together.
final class Batch {
    /// How far an activity is.
    private enum Place {
        case answered(NavigationCommand)
        /// It waits for an object: the index of its question.
        case asked(Int)
    }

    /// What is asked for an activity.
    private struct Question {
        let predicate: PredicateTemplate?
        let route: Route
    }

    let activities: [Activity]
    /// What the stores are asked, one for each question.
    private(set) var queries: [StoreCoordinator.Query] = []
    /// What they answered.
    var answers: [StoreCoordinator.Answer] = []
    private let router: Router
    private var places: [Place] = []
    private var questions: [Question] = []

    /// Applies the rules, as far as they need no object; `traces` has one for each activity, or none.
    init(_ activities: [Activity], _ router: Router, _ traces: [Trace]) {
        self.activities = activities
        self.router = router
        places.reserveCapacity(activities.count)
        queries.reserveCapacity(activities.count)
        questions.reserveCapacity(activities.count)
        var captured: [String?] = []
        // What is lent by a span is not copied.
        let span = activities.span
        for index in span.indices {
            switch router.step(span[index], captured: &captured, traces.isEmpty ? nil : traces[index]) {
            case .answered(let command): places.append(.answered(command))
            case .lookUp(let query, let predicate, let route):
                places.append(.asked(queries.count))
                queries.append(query)
                questions.append(Question(predicate: predicate, route: route))
            }
        }
    }

    /// What became of an activity, when the stores have answered.
    func outcome(_ index: Int, _ trace: Trace? = nil) -> Resolver.Outcome {
        switch places[index] {
        case .answered(let command): return .command(command)
        case .asked(let number):
            trace?.answered(answers[number])
            return outcome(index, asked: number, trace)
        }
    }

    private func outcome(_ index: Int, asked number: Int, _ trace: Trace?) -> Resolver.Outcome {
        let question = questions[number]
        if case .found(let object) = answers[number] {
            return .command(router.command(opening: object, question.route, activities[index], trace))
        }
        return router.outcome(
            answers[number], to: queries[number], question.predicate, question.route, activities[index])
    }

    /// The first outcome that is no command.
    var unanswered: Resolver.Outcome? {
        for answer in answers {
            switch answer {
            case .deferred: return .deferred
            case .unavailable(let error): return .unavailable(error)
            default: continue
            }
        }
        return nil
    }

    /// Writes the answer to an activity, where there is one.
    func write(_ index: Int, to writer: inout JSONWriter) -> Outcomes.Written {
        switch places[index] {
        case .answered(let command):
            command.write(to: &writer)
            return command.reason.map { .notHandled($0) } ?? .handled
        case .asked(let number):
            let activities = activities
            if case .found(let object) = answers[number],
                router.write(opening: object, questions[number].route, activities.span[index], to: &writer)
            {
                return .handled
            }
            return outcome(index, asked: number, nil).write(to: &writer)
        }
    }
}
