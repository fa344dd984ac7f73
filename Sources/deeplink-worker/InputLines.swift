import Glibc

/// The lines of files, or of standard input where no file is named, one after the other.
struct InputLines {
    private static let pieceSize = 1 << 18
    private var paths: [String]
    private var file: InputFile?
    private var piece: [UInt8] = []
    private var position = 0
    /// Where the next line feed of the piece stands, where that is known.
    private var knownLineFeed: Int?
    /// How long a line may be before the rest of it is dropped; what is kept is one byte longer.
    private let byteCountMax: Int

    /// Opens nothing yet; `-` is standard input.
    init(paths: [String], byteCountMax: Int = .max) {
        self.paths = paths.isEmpty ? ["-"] : paths
        self.byteCountMax = byteCountMax
    }

    /// Reads the next line into `line`, without its end (`\n` or `\r\n`); false at the end of the last file.
    ///
    /// Of a line that is too long, the first `byteCountMax + 1` bytes are kept.
    mutating func next(into line: inout [UInt8]) throws(CommandFailure) -> Bool {
        line.removeAll(keepingCapacity: true)
        var hasBytes = false
        while true {
            if position == piece.count {
                guard try fill() else {
                    dropCarriageReturn(&line)
                    return hasBytes
                }
            }
            let end = nextLineFeed
            knownLineFeed = nil
            let room = byteCountMax == .max ? Int.max : max(0, byteCountMax + 1 - line.count)
            line.append(contentsOf: piece[position..<(end ?? piece.count)].prefix(room))
            hasBytes = true
            position = end.map { $0 + 1 } ?? piece.count
            if end != nil {
                dropCarriageReturn(&line)
                return true
            }
        }
    }

    /// Whether there is another whole line without waiting for input.
    var hasLineAtHand: Bool {
        mutating get { position < piece.count && nextLineFeed != nil }
    }

    /// Where the next line feed of the piece stands.
    private var nextLineFeed: Int? {
        mutating get {
            if knownLineFeed == nil { knownLineFeed = findLineFeed() }
            return knownLineFeed
        }
    }

    private func findLineFeed() -> Int? {
        unsafe piece.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = unsafe memchr(start + position, CInt(UInt8(ascii: "\n")), bytes.count - position)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    private func dropCarriageReturn(_ line: inout [UInt8]) {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
    }

    /// Reads the next piece, or returns false when there is none.
    ///
    /// A file's last line needs no line feed.
    private mutating func fill() throws(CommandFailure) -> Bool {
        while true {
            if file == nil {
                guard !paths.isEmpty else { return false }
                file = try InputFile(paths.removeFirst())
            }
            if let file, try file.read(Self.pieceSize, into: &piece) {
                position = 0
                return true
            }
            file = nil
            position = piece.count
            // The end of a file ends its line.
            if let last = piece.last, last != UInt8(ascii: "\n"), !paths.isEmpty {
                piece = [UInt8(ascii: "\n")]
                position = 0
                return true
            }
        }
    }
}
