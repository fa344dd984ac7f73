/// The URL of a link, in the form that the WHATWG URL standard gives it.
///
/// The host is lower-case ASCII without a trailing dot, the scheme's own port is dropped, dot segments are resolved,
/// and what the standard percent-encodes is percent-encoded; escapes that were there stay as they are. User information
/// is dropped. Every byte is ASCII.
struct LinkURL: Sendable {
    /// The schemes of links.
    enum Scheme: Sendable, Hashable {
        case http
        case https
        /// Any other, in small letters.
        case custom(String)

        /// The port that a URL without one has.
        var port: UInt16? {
            switch self {
            case .http: 80
            case .https: 443
            case .custom: nil
            }
        }

        var isWeb: Bool { port != nil }
    }

    let scheme: Scheme
    /// The port, where it is not the scheme's own.
    let port: UInt16?
    /// The host, path, query and fragment, one behind the other.
    let bytes: [UInt8]
    /// Where the host stands; empty for a URL without one.
    let host: Range<Int>
    /// Where the path stands, which in a web URL begins with a slash.
    let path: Range<Int>
    /// Where the query stands, without its question mark.
    let query: Range<Int>?
    /// Where the fragment stands, without its number sign.
    let fragment: Range<Int>?

    /// The port, also where it is the scheme's own.
    var effectivePort: UInt16? { port ?? scheme.port }

    /// A part as text, percent-encoded.
    func text(of part: Range<Int>) -> String { String(decoding: bytes[part], as: UTF8.self) }

    /// A part as text, percent-encoded; empty where it is absent.
    func text(of part: Range<Int>?) -> String { part.map { text(of: $0) } ?? "" }

    /// The path that routes see: of a custom scheme it begins with the host, `/movie/Alien` for `scheme://movie/Alien`.
    ///
    /// The host is there as it was written.
    var routedPath: [UInt8] {
        guard !scheme.isWeb, !host.isEmpty else { return Array(bytes[path]) }
        return [UInt8(ascii: "/")] + bytes[host] + bytes[path]
    }
}
