/// The first bytes of a file, and what they say about it.
struct FileHeader: Sendable, Equatable {
    static let size = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Whether the file was last written with a write-ahead log.
    let usesLog: Bool
    /// Grows with every change that is made without a write-ahead log.
    let changeCounter: UInt32
    /// The size that the header says the file has, in bytes; nil where it does not say.
    let expectedSize: Int64?

    /// The size of a page in bytes, a power of two, and how many bytes at its end are not used.
    let pageSize: Int
    let reservedSize: Int
    /// Whether texts are kept as UTF-8.
    let isUTF8: Bool

    /// Reads the header; nil where the bytes are not those of an SQLite file.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        usesLog = bytes[18] == 2
        changeCounter = Self.number(bytes, 24)
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65536 : size
        reservedSize = Int(bytes[20])
        isUTF8 = Self.number(bytes, 56) == 1
        let pages = Int64(Self.number(bytes, 28))
        let isCurrent = changeCounter == Self.number(bytes, 92) && pages > 0
        expectedSize = isCurrent ? pages * Int64(pageSize) : nil
    }

    /// The change counter in the bytes 24 to 27 of a header.
    static func changeCounter(_ bytes: [UInt8]) -> UInt32? {
        bytes.count == 4 ? number(bytes, 0) : nil
    }

    /// Why a file that is not an SQLite file cannot be read, and what to do.
    static func complaint(about bytes: [UInt8], path: String) -> String {
        if bytes.isEmpty { return "\(path) is empty: the app has not saved anything into it yet, or a copy failed." }
        if bytes.starts(with: Array("bplist".utf8)) || bytes.starts(with: Array("<?xml".utf8)) {
            return "\(path) is not an SQLite file but a property list or XML: a binary or XML store cannot be read. "
                + "Have the app save an SQLite store."
        }
        if looksEncrypted(bytes) {
            return "\(path) is not an SQLite file; its content looks encrypted. Give a decrypted copy of the store."
        }
        return "\(path) is not an SQLite file. Name the store file of the app, often called *.sqlite or *.store."
    }

    /// Encrypted bytes are spread evenly: 8 bits of entropy a byte, of which a short sample shows almost all.
    private static func looksEncrypted(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 512 else { return false }
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        // The chi-squared statistic of an even spread has mean 255 and deviation 23.
        let expected = Double(bytes.count) / 256
        let spread = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        return spread < 400
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
