/// A path pattern in which each group's end is known without trying: the next slash, or the path's end.
struct PathSteps: Sendable {
    private enum Step: Sendable {
        case text([UInt8])
        /// One character or more up to the next slash.
        case segment
        /// All but the given number of bytes at the end, which are text.
        case anything(before: Int)
    }

    private var steps: [Step] = []
    private var groupCount = 0

    /// Nil for parts that need more than that.
    init?(_ parts: [PathPatternPart]) {
        var text: [UInt8] = []
        for (index, part) in parts.enumerated() {
            guard part.modifier == nil else { return nil }
            text += part.prefix
            if part.kind != .fixed {
                let rest = parts[(index + 1)...]
                if !text.isEmpty { steps.append(.text(text)) }
                text = part.suffix
                guard let step = Self.step(part.kind, before: text + (rest.first?.prefix ?? []), isLast: rest) else {
                    return nil
                }
                steps.append(step)
                groupCount += 1
            }
        }
        if !text.isEmpty { steps.append(.text(text)) }
    }

    private static func step(
        _ kind: PathPatternPart.Kind, before text: [UInt8], isLast rest: ArraySlice<PathPatternPart>
    ) -> Step? {
        let isLastGroup = rest.allSatisfy { $0.kind == .fixed }
        switch kind {
        case .segment:
            let isAtEnd = rest.isEmpty && text.isEmpty
            return isAtEnd || text.first == UInt8(ascii: "/") ? .segment : nil
        case .anything: return isLastGroup && rest.count <= 1 ? .anything(before: text.count) : nil
        case .fixed, .expression: return nil
        }
    }

    /// Where each group stands.
    func match(_ path: Span<UInt8>) -> [Range<Int>?]? {
        var groups: [Range<Int>?] = []
        groups.reserveCapacity(groupCount)
        var index = 0
        for step in steps {
            switch step {
            case .text(let text):
                guard path.stands(text.span, at: index) else { return nil }
                index += text.count
            case .segment:
                let end = path.firstIndex(of: UInt8(ascii: "/"), from: index) ?? path.count
                guard end > index else { return nil }
                groups.append(index..<end)
                index = end
            case .anything(let count):
                let end = path.count - count
                guard end >= index else { return nil }
                groups.append(index..<end)
                index = end
            }
        }
        return index == path.count ? groups : nil
    }
}
