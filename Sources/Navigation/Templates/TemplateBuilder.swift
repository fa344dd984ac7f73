internal import Activities

/// Builds a template: JSON goes to the writer, and variables cut what it writes into pieces.
struct TemplateBuilder: ~Copyable {
    var writer = JSONWriter()
    private var pieces: [Template.Piece] = []
    /// How much of what was written lies in pieces already.
    private var cut = 0

    /// Puts a piece where the writer's next value would stand.
    mutating func insert(_ piece: Template.Piece) {
        writer.raw([])
        takeWritten()
        pieces.append(piece)
    }

    private mutating func takeWritten() {
        guard writer.count > cut else { return }
        pieces.append(.json(Array(writer.bytes[cut...])))
        cut = writer.count
    }

    /// The template of everything that was written and inserted.
    consuming func finish() -> Template {
        takeWritten()
        return Template(pieces: pieces)
    }
}
