internal import PersistentStore

/// Large values of an attribute with external storage: in the row after a marker byte, or in a file that the row names.
struct ExternalData {
    private static let inlineMarker: UInt8 = 1
    private static let fileMarker: UInt8 = 2
    /// The largest file that is read, in bytes.
    static let maximumSize = 256 << 20

    /// The folder of the files.
    let folder: String

    /// The value that a row's bytes stand for.
    func value(_ bytes: [UInt8]) -> AttributeValue {
        switch bytes.first {
        case Self.inlineMarker: return .binary(Array(bytes.dropFirst()))
        case Self.fileMarker:
            guard let name = Self.fileName(bytes) else { return .binary(bytes) }
            // Not through a link, which could lead out of the folder.
            guard let content = try? FileBytes.read(folder + "/" + name, limit: Self.maximumSize, followsLinks: false)
            else { return .externalDataMissing(name) }
            return .binary(content)
        default: return .binary(bytes)
        }
    }

    /// The UUID after the marker, before a final zero; nothing else is a file's name.
    private static func fileName(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 37 || bytes.count == 38 && bytes[37] == 0 else { return nil }
        let name = bytes[1..<37]
        for (offset, byte) in name.enumerated() {
            let isDash = [8, 13, 18, 23].contains(offset)
            let isHexadecimal = (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xdf)
            guard isDash ? byte == UInt8(ascii: "-") : isHexadecimal else { return nil }
        }
        return String(decoding: name, as: UTF8.self)
    }
}
