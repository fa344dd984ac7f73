import Foundation
import TestSupport

/// Certificates of a test's own, made with openssl in a folder that goes with them.
final class Certificates {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "deeplink-tls-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of an authority's or a peer's certificate.
    func certificate(_ name: String) -> String { folder.appendingPathComponent(name + ".pem").path }

    /// The path of a private key.
    func key(_ name: String) -> String { folder.appendingPathComponent(name + ".key").path }

    /// Makes an authority; `days` may be negative: expired.
    func makeAuthority(_ name: String, days: Int = 2) throws {
        let request = folder.appendingPathComponent(name + ".csr").path
        let extensions = folder.appendingPathComponent(name + ".ext")
        try Data("basicConstraints=critical,CA:TRUE\n".utf8).write(to: extensions)
        try openssl(
            ["req", "-new", "-newkey"] + Self.keyKind
                + ["-subj", "/CN=\(name)", "-keyout", key(name), "-out", request])
        try openssl([
            "x509", "-req", "-in", request, "-signkey", key(name), "-days", "\(days)", "-extfile", extensions.path,
            "-out", certificate(name),
        ])
    }

    /// Makes a certificate; `names` are alternative names such as `DNS:localhost`, `days` may be negative: expired.
    func make(_ name: String, commonName: String, names: String, by authority: String, days: Int = 2) throws {
        let request = folder.appendingPathComponent(name + ".csr").path
        let extensions = folder.appendingPathComponent(name + ".ext")
        try Data("subjectAltName=\(names)\n".utf8).write(to: extensions)
        try openssl(
            ["req", "-new", "-newkey"] + Self.keyKind
                + ["-subj", "/CN=\(commonName)", "-keyout", key(name), "-out", request])
        try openssl([
            "x509", "-req", "-in", request, "-CA", certificate(authority), "-CAkey", key(authority), "-set_serial",
            "\(UInt32.random(in: 1 ... .max))", "-days", "\(days)", "-extfile", extensions.path, "-out",
            certificate(name),
        ])
    }

    private static let keyKind = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    private func openssl(_ arguments: [String]) throws { try run("/usr/bin/env", ["openssl"] + arguments) }
}

/// A TLS server that only shakes hands.
final class TLSServer {
    private let process = Process()
    let port: UInt16

    /// Starts `openssl s_server` with a certificate and further arguments, and waits until it listens.
    init(_ certificates: Certificates, _ name: String, _ arguments: [String] = []) throws {
        port = try WireListener.freePort()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificates.certificate(name), "-key",
                certificates.key(name), "-quiet",
            ] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runWithoutBlockedSignals()
        let port = port
        try eventually("the TLS server") { (try? WireSocket(port: port)) != nil }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
