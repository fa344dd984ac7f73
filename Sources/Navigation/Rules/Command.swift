internal import Activities
internal import PersistentStore

/// The command of a rule: its name, its arguments, and the JSON that both become in an answer.
final class Command: Sendable {
    let name: String
    /// A JSON object.
    let arguments: Template
    /// What an answer holds from behind the activity's type to the command's name, ready to be filled in:
    /// `","arguments":{"name":$object.name},"command":"openMovieDetail"`.
    private let members: Template
    private let memberBounds: (before: Int, behind: Int)
    /// The members where they need no values.
    let constant: [UInt8]?
    /// The object's values that the arguments consist of; nil where they need anything else.
    let attributes: [Int]?
    /// What stands before, between and behind these values.
    let between: [[UInt8]]

    init(name: String, arguments: Template) {
        self.name = name
        self.arguments = arguments
        let before = Array(#"","arguments":"#.utf8)
        var writer = JSONWriter()
        writer.verbatim(#","command":"#)
        writer.string(name)
        members = arguments.enclosed(in: before, writer.bytes)
        memberBounds = (before.count, writer.bytes.count)
        constant = members.constant
        attributes = arguments.attributes
        between = members.pieces.compactMap { if case .json(let json) = $0 { json } else { nil } }
    }

    /// Whether the values alone are what the arguments need, and all of a kind that JSON has.
    func isFilled(by object: FetchedObject) -> Bool {
        guard let attributes else { return false }
        return attributes.allSatisfy { object.values[$0].isWritten }
    }

    /// Writes the members with the values of an object by which they are filled.
    func write(to writer: inout JSONWriter, object: FetchedObject) {
        guard let attributes else { preconditionFailure("arguments that are more than an object's values") }
        for index in attributes.indices {
            writer.verbatim(between[index])
            let isWritten = object.values[attributes[index]].write(to: &writer)
            precondition(isWritten, "values that do not fill the arguments")
        }
        writer.verbatim(between[attributes.count])
    }

    /// The members, filled in.
    func filled(
        _ activity: Activity, captures: [String?], object: FetchedObject?
    ) throws(MissingValue) -> [UInt8] {
        var writer = JSONWriter(capacity: Self.membersCapacity)
        let attributes = object.map { Array($0.values) } ?? []
        try members.write(to: &writer, activity: activity, captures: captures, attributes: attributes)
        return writer.bytes
    }

    /// The bytes that most members need not more of.
    private static let membersCapacity = 160

    /// The arguments alone, out of members that are filled in.
    func arguments(in members: [UInt8]) -> [UInt8] {
        Array(members[memberBounds.before..<(members.count - memberBounds.behind)])
    }
}

extension Template {
    /// The same with JSON before and behind.
    fileprivate func enclosed(in before: [UInt8], _ behind: [UInt8]) -> Template {
        var enclosed: [Piece] = [.json(before)]
        for piece in pieces + [.json(behind)] {
            if case .json(let json) = piece, case .json(let last)? = enclosed.last {
                enclosed[enclosed.count - 1] = .json(last + json)
            } else {
                enclosed.append(piece)
            }
        }
        return Template(pieces: enclosed)
    }

    /// The indexes of an object's values, where the pieces are JSON and such values alone.
    fileprivate var attributes: [Int]? {
        var indexes: [Int] = []
        for piece in pieces {
            switch piece {
            case .json: continue
            case .value(let variable):
                guard case .attribute(let index) = variable.source else { return nil }
                indexes.append(index)
            case .text: return nil
            }
        }
        return indexes
    }
}
