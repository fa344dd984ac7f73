import TestSupport

/// A node of a test's own that speaks TLS and asks for certificates, with the certificates.
struct SecureBroker {
    let certificates: Certificates
    let node: PrivateBroker
    /// Where it speaks TLS.
    let port: UInt16

    /// Makes an authority `ours` with a certificate for the broker and one for a client, `worker`; `configuration` is added
    /// to the node's.
    init(configuration: String = "", plugins: [String] = []) throws {
        certificates = try Certificates()
        try certificates.makeAuthority("ours")
        try certificates.make("server", commonName: "server", names: "IP:127.0.0.1", by: "ours")
        try certificates.make("worker", commonName: "worker", names: "DNS:worker", by: "ours")
        port = try WireListener.freePort()
        node = try PrivateBroker(
            configuration: """
                listeners.ssl.1 = 127.0.0.1:\(port)
                ssl_options.cacertfile = \(certificates.certificate("ours"))
                ssl_options.certfile = \(certificates.certificate("server"))
                ssl_options.keyfile = \(certificates.key("server"))
                ssl_options.verify = verify_peer
                ssl_options.fail_if_no_peer_cert = true
                \(configuration)

                """, plugins: plugins)
    }

    /// The parameters that a client needs, without its certificate.
    var authority: String { "cacertfile=\(certificates.certificate("ours"))" }

    /// The parameters of the client's certificate.
    var identity: String {
        "certfile=\(certificates.certificate("worker"))&keyfile=\(certificates.key("worker"))"
    }

    /// The URL of a client with a password and its certificate.
    func url(heartbeat: Int) -> String {
        "amqps://guest:guest@127.0.0.1:\(port)/%2f?heartbeat=\(heartbeat)&connection_timeout=5000&\(authority)&\(identity)"
    }
}
