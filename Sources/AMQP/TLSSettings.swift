internal import CRabbitMQ
internal import Glibc
internal import Synchronization

/// Prepares librabbitmq's TLS socket: TLS 1.2 or newer, the peer verified within the handshake.
///
/// The library checks the peer after the handshake, when the client certificate has been shown already, and no IP
/// addresses; so OpenSSL itself is told what to check.
enum TLSSettings {
    static func apply(_ url: AMQPURL, to socket: OpaquePointer) throws(AMQPError) {
        crabbitmq_forget_reasons()
        unsafe leaveChecking(to: socket)
        guard let raw = unsafe amqp_ssl_socket_get_context(socket) else { throw broken("TLS cannot be set up") }
        let context = OpaquePointer(raw)
        guard unsafe crabbitmq_require_tls12(context) == 1 else { throw broken("TLS 1.2 cannot be required") }
        try unsafe setAuthorities(url, context)
        try unsafe setClientCertificate(url, context)
        try unsafe setVerification(url, context)
    }

    /// The library's own checks are replaced by the handshake's.
    private static func leaveChecking(to socket: OpaquePointer) {
        unsafe amqp_ssl_socket_set_verify_peer(socket, 0)
        unsafe amqp_ssl_socket_set_verify_hostname(socket, 0)
    }

    private static func setAuthorities(_ url: AMQPURL, _ context: OpaquePointer) throws(AMQPError) {
        guard let file = url.authorityFile else {
            guard unsafe SSL_CTX_set_default_verify_paths(context) == 1 else {
                throw broken("the system's certificate authorities cannot be read")
            }
            return
        }
        guard unsafe SSL_CTX_load_verify_locations(context, file, nil) == 1 else {
            throw broken("cacertfile \(file) holds no readable certificates")
        }
    }

    private static func setClientCertificate(_ url: AMQPURL, _ context: OpaquePointer) throws(AMQPError) {
        guard let certificate = url.certificateFile, let key = url.keyFile else { return }
        // Without a password of its own OpenSSL would ask at the terminal.
        unsafe SSL_CTX_set_default_passwd_cb(context) { buffer, size, _, userdata in
            guard let buffer = unsafe buffer, let text = unsafe userdata?.assumingMemoryBound(to: CChar.self) else {
                return -1
            }
            let count = unsafe strlen(text)
            guard count < Int(size) else { return -1 }
            unsafe buffer.update(from: text, count: count)
            return Int32(count)
        }
        let password = unsafe strdup(url.keyPassword ?? "")
        defer { unsafe free(password) }
        unsafe SSL_CTX_set_default_passwd_cb_userdata(context, password)
        defer { unsafe SSL_CTX_set_default_passwd_cb_userdata(context, nil) }
        guard unsafe SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
            throw broken("certfile \(certificate) holds no readable certificate")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
            throw broken("keyfile \(key) holds no readable key of that certificate, or its password is wrong")
        }
    }

    private static func setVerification(_ url: AMQPURL, _ context: OpaquePointer) throws(AMQPError) {
        let name = url.serverName ?? url.host
        let isAddress = isNumeric(name)
        unsafe crabbitmq_use_server_name(context, isAddress ? nil : lastingCopy(of: name))
        guard url.verifiesPeer else {
            unsafe SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
            return
        }
        unsafe crabbitmq_verify_peer(context)
        let parameters = unsafe SSL_CTX_get0_param(context)
        let status =
            isAddress
            ? unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, name)
            : unsafe X509_VERIFY_PARAM_set1_host(parameters, name, 0)
        guard status == 1 else { throw broken("the name \(name) cannot be verified") }
    }

    /// The name as the context keeps it; each is made once, for contexts of many connections point to it.
    private static func lastingCopy(of name: String) -> UnsafeMutablePointer<CChar>? {
        let address = names.withLock { names in
            if let known = names[name] { return known }
            let made = unsafe UInt(bitPattern: strdup(name))
            names[name] = made
            return made
        }
        return unsafe UnsafeMutablePointer(bitPattern: address)
    }

    private static let names = Mutex<[String: UInt]>([:])

    private static func isNumeric(_ name: String) -> Bool {
        var storage = in_addr()
        return unsafe inet_pton(AF_INET, name, &storage) == 1 || Address.isIPv6(name)
    }

    /// What OpenSSL says of the last failure on this thread.
    static func lastReason() -> String? {
        let verification = crabbitmq_last_verification()
        if verification != X509_V_OK, let text = unsafe X509_verify_cert_error_string(Int(verification)) {
            return unsafe "the certificate is refused: \(String(cString: text))"
        }
        let code = ERR_peek_last_error()
        guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return nil }
        return unsafe String(cString: text)
    }

    private static func broken(_ what: String) -> AMQPError {
        let reason = lastReason().map { " (\($0))" } ?? ""
        return AMQPError(
            .configuration, "TLS is not possible: \(what)\(reason). Check the parameters of the amqps:// URL.")
    }
}
