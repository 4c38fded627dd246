#if os(Linux)
package import Foundation

/// An authority that certifies, in a temporary folder of its own, which is gone with it.
package final class Authority: Sendable {
    /// A certificate and its key, in PEM.
    package struct Certificate: Sendable {
        package let certificate: URL
        package let key: URL

        /// The SHA-256 digest of the public key's DER form, in Base64.
        package let pin: String
    }

    private let folder: URL

    /// What to trust.
    package var certificate: URL { folder.appendingPathComponent("authority.pem") }

    package static func make() async throws -> Authority {
        try await OpenSSL.offPool { try Authority() }
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try makeOwn("authority", "basicConstraints=critical,CA:TRUE")
    }

    // What it cannot say any more, because something failed, it does.
    deinit { remove() }

    package func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A certificate of this authority for a host, or whoever it is, valid for so many days; if they are negative, it
    /// has been.
    package func certify(_ name: String, days: Int = 2) async throws -> Certificate {
        try await OpenSSL.offPool { [self] in
            let file = UUID().uuidString
            try OpenSSL.run(
                "req",
                "-new",
                "-subj",
                "/CN=\(name)",
                "-out",
                "\(file).csr",
                "-keyout",
                "\(file).key",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                in: folder
            )
            try Data("subjectAltName=DNS:\(name)\n".utf8).write(to: folder.appendingPathComponent("\(file).ext"))
            try OpenSSL.run(
                "x509",
                "-req",
                "-in",
                "\(file).csr",
                "-out",
                "\(file).pem",
                "-days",
                "\(days)",
                "-CA",
                "authority.pem",
                "-CAkey",
                "authority.key",
                "-CAcreateserial",
                "-extfile",
                "\(file).ext",
                in: folder
            )
            return try made(file)
        }
    }

    /// A certificate that vouches for itself.
    package func selfSigned(_ name: String) async throws -> Certificate {
        try await OpenSSL.offPool { [self] in
            let file = UUID().uuidString
            try makeOwn(file, "subjectAltName=DNS:\(name)")
            return try made(file)
        }
    }

    private func makeOwn(_ file: String, _ addition: String) throws {
        try OpenSSL.run(
            "req",
            "-x509",
            "-subj",
            "/CN=\(file)",
            "-out",
            "\(file).pem",
            "-keyout",
            "\(file).key",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-addext",
            addition,
            "-days",
            "2",
            in: folder
        )
    }

    private func made(_ file: String) throws -> Certificate {
        try OpenSSL.run("x509", "-in", "\(file).pem", "-pubkey", "-noout", "-out", "\(file).pub", in: folder)
        try OpenSSL.run("pkey", "-pubin", "-in", "\(file).pub", "-outform", "DER", "-out", "\(file).der", in: folder)
        let digest = try OpenSSL.run("dgst", "-sha256", "-binary", "\(file).der", in: folder)
        return Certificate(
            certificate: folder.appendingPathComponent("\(file).pem"),
            key: folder.appendingPathComponent("\(file).key"),
            pin: digest.base64EncodedString()
        )
    }
}
#endif
