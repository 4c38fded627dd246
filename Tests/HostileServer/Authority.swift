#if os(Linux)
package import Foundation

/// A certificate authority in a temporary folder, which is removed with it.
package final class Authority: Sendable {
    /// A certificate and its key (PEM).
    package struct Certificate: Sendable {
        package let certificate: URL
        package let key: URL

        /// The SHA-256 digest of the public key's DER form, in Base64; empty if openssl fails. Blocks for a moment.
        package var pin: String {
            let folder = certificate.deletingLastPathComponent()
            let name = certificate.deletingPathExtension().lastPathComponent
            let (text, bytes) = ("\(name).pub", "\(name).der")
            do {
                try OpenSSL.run(["x509", "-in", certificate.path, "-pubkey", "-noout", "-out", text], in: folder)
                try OpenSSL.run(["pkey", "-pubin", "-in", text, "-outform", "DER", "-out", bytes], in: folder)
                return try OpenSSL.run(["dgst", "-sha256", "-binary", bytes], in: folder).base64EncodedString()
            } catch {
                return ""
            }
        }
    }

    private let folder: URL

    /// The certificate to trust.
    package var certificate: URL { folder.appendingPathComponent("authority.pem") }

    package static func make() async throws -> Authority {
        try await OpenSSL.offPool { try Authority() }
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try makeOwn("authority", "basicConstraints=critical,CA:TRUE")
    }

    // Also removes the folder if the initializer fails.
    deinit { remove() }

    package func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A certificate of this authority for a host or another subject, valid for `days`. With a negative number, it has
    /// expired.
    package func certify(_ name: String, days: Int = 2) async throws -> Certificate {
        try await OpenSSL.offPool { [self] in
            let file = UUID().uuidString
            try makeKey(file, ["-new", "-subj", "/CN=\(name)", "-out", "\(file).csr"])
            try Data("subjectAltName=DNS:\(name)\n".utf8).write(to: folder.appendingPathComponent("\(file).ext"))
            let (request, certificate) = ("\(file).csr", "\(file).pem")
            let signing = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"]
            let options = ["-days", "\(days)", "-extfile", "\(file).ext"]
            try OpenSSL.run(["x509", "-req", "-in", request, "-out", certificate] + signing + options, in: folder)
            return made(file)
        }
    }

    /// A self-signed certificate.
    package func selfSigned(_ name: String) async throws -> Certificate {
        try await OpenSSL.offPool { [self] in
            let file = UUID().uuidString
            try makeOwn(file, "subjectAltName=DNS:\(name)")
            return made(file)
        }
    }

    private func makeOwn(_ file: String, _ addition: String) throws {
        let subject = ["-subj", "/CN=\(file)"]
        try makeKey(file, ["-x509", "-out", "\(file).pem", "-addext", addition, "-days", "2"] + subject)
    }

    /// Makes a key and, with it, a request for a certificate or a certificate.
    private func makeKey(_ file: String, _ arguments: [String]) throws {
        let key = ["-keyout", "\(file).key", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try OpenSSL.run(["req"] + arguments + key, in: folder)
    }

    private func made(_ file: String) -> Certificate {
        Certificate(
            certificate: folder.appendingPathComponent("\(file).pem"),
            key: folder.appendingPathComponent("\(file).key")
        )
    }
}
#endif
