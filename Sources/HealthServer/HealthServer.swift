internal import CMicroHTTPD
internal import Glibc

/// Why the server could not be started; a sentence that names the address.
public struct HealthServerError: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String
}

/// An answer to a request.
public struct HealthResponse: Sendable, Hashable {
    /// The HTTP status.
    public let status: UInt32
    /// The media type of the body.
    public let contentType: String
    /// The body.
    public let body: String

    /// Makes an answer.
    public init(status: UInt32 = 200, contentType: String = "text/plain; charset=utf-8", body: String) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}

/// Serves GET and HEAD requests for a few paths on a thread of its own, by libmicrohttpd.
///
/// It listens from its initializer to its end. At most 64 connections are open, each idle for 10 s at the most.
@safe
public struct HealthServer: ~Copyable {
    /// Answers the request for a path, on the server's thread; nil where there is nothing at that path.
    public typealias Handler = @Sendable (_ path: String) -> HealthResponse?

    private static let connectionCountMax: UInt32 = 64
    private static let idleSecondsMax: UInt32 = 10

    private let daemon: OpaquePointer
    private let context: Unmanaged<Context>
    /// The port that it listens on.
    public let port: UInt16

    /// Starts to listen; `handler` may be called at once.
    public init(_ address: ListenAddress, handler: @escaping Handler) throws(HealthServerError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(address.host, String(address.port), &hints, &found)
        guard status == 0, let first = unsafe found else {
            let reason = unsafe String(cString: gai_strerror(status))
            throw HealthServerError(
                description: "The address \(address) to serve metrics on is unknown: \(reason). "
                    + "Give --http ADDRESS:PORT, or 'off'.")
        }
        defer { unsafe freeaddrinfo(first) }
        let context = unsafe Unmanaged.passRetained(Context(handler))
        let started = unsafe cmicrohttpd_start(
            first.pointee.ai_addr, answer, context.toOpaque(), Self.connectionCountMax, Self.idleSecondsMax)
        guard let daemon = unsafe started else {
            let reason = unsafe String(cString: strerror(errno))
            unsafe context.release()
            throw HealthServerError(
                description:
                    "Metrics cannot be served on \(address): \(reason). Give another --http ADDRESS:PORT, or 'off'.")
        }
        unsafe self.daemon = daemon
        unsafe self.context = context
        self.port = unsafe UInt16(truncatingIfNeeded: cmicrohttpd_port(daemon))
    }

    deinit {
        unsafe MHD_stop_daemon(daemon)
        unsafe context.release()
    }
}

private final class Context: Sendable {
    let handler: HealthServer.Handler

    init(_ handler: @escaping HealthServer.Handler) {
        self.handler = handler
    }
}

/// libmicrohttpd's callback for each request.
private func answer(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let url = unsafe url, let method = unsafe method else { return MHD_Result.NO }
    // A body that nobody asked for is read and dropped, or the connection would hang.
    if let uploadSize = unsafe uploadSize, unsafe uploadSize.pointee > 0 {
        unsafe uploadSize.pointee = 0
        return MHD_Result.YES
    }
    let handler = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().handler
    let response: HealthResponse =
        switch unsafe String(cString: method) {
        case "GET", "HEAD":
            handler(unsafe String(cString: url)) ?? HealthResponse(status: 404, body: "There is nothing here.\n")
        default: HealthResponse(status: 405, body: "Only GET and HEAD are answered.\n")
        }
    return unsafe queue(response, on: connection)
}

private func queue(_ response: HealthResponse, on connection: OpaquePointer?) -> MHD_Result {
    var body = response.body
    let made = body.withUTF8 { bytes in
        unsafe MHD_create_response_from_buffer(
            bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
    }
    guard let made = unsafe made else { return MHD_Result.NO }
    defer { unsafe MHD_destroy_response(made) }
    unsafe MHD_add_response_header(made, "Content-Type", response.contentType)
    if response.status == 405 { unsafe MHD_add_response_header(made, "Allow", "GET, HEAD") }
    return unsafe MHD_queue_response(connection, response.status, made)
}
