import FoundationEssentials

/// Base64 text as XML property lists hold it.
enum Base64 {
    /// The bytes; white space is ignored, nil for anything that is not base64.
    static func bytes(_ text: String) -> [UInt8]? {
        let compact = text.filter { !$0.isWhitespace }
        return Data(base64Encoded: compact).map { Array($0) }
    }
}
