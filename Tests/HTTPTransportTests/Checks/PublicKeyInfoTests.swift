#if os(Linux)
import Basics
import Foundation
import HostileServer
@testable import HTTPTransport
import TestTiers
import Testing

/// Keys as OpenSSL writes them.
@Suite(
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the keys"),
    .limited
) struct PublicKeyInfoTests {
    /// Makes a key, and returns its SubjectPublicKeyInfo in DER, and for RSA the bare key.
    private func key(_ options: [String]) async throws -> (info: [UInt8], bare: [UInt8]?) {
        try await OpenSSL.offPool {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try OpenSSL.run(["genpkey", "-out", "key.pem", "-quiet"] + options, in: folder)
            try OpenSSL.run(["pkey", "-in", "key.pem", "-pubout", "-outform", "DER", "-out", "info"], in: folder)
            let info = try Data(contentsOf: folder.appendingPathComponent("info"))
            guard options.contains("RSA") else { return (Array(info), nil) }
            let writing = ["-RSAPublicKey_out", "-outform", "DER", "-out", "bare"]
            try OpenSSL.run(["rsa", "-in", "key.pem"] + writing, in: folder)
            return (Array(info), Array(try Data(contentsOf: folder.appendingPathComponent("bare"))))
        }
    }

    /// To make the longer ones takes seconds.
    @Test(arguments: [1_024, 2_048] + (runsAllTests ? [3_072, 4_096] : []))
    func `A SubjectPublicKeyInfo made from a bare RSA key equals the one that OpenSSL writes`(bits: Int) async throws {
        let (info, bare) = try await key(["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"])
        let key = try #require(bare)
        let made = try #require(PublicKeyInfo(.rsa, key: key))
        #expect(made.der == info)
        #expect(made.pin == Data(SHA256.digest(of: info)).base64EncodedString())
    }

    @Test(arguments: [("P-256", 65), ("P-384", 97), ("P-521", 133)])
    func `A SubjectPublicKeyInfo made from an EC point equals the one that OpenSSL writes`(curve: String, count: Int)
        async throws
    {
        let (info, _) = try await key(["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)"])
        #expect(PublicKeyInfo(.ellipticCurve, key: Array(info.suffix(count)))?.der == info)
    }

    @Test func `The pin of an EC key equals the pin that OpenSSL yields for its certificate`() async throws {
        let authority = try await Authority.make()
        defer { authority.remove() }
        let certificate = try await authority.certify("localhost")
        let file = certificate.certificate.path
        let info = try await OpenSSL.offPool {
            let folder = FileManager.default.temporaryDirectory
            let pem = try OpenSSL.run(["x509", "-in", file, "-pubkey", "-noout"], in: folder)
            let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
            return Data(base64Encoded: lines.joined())
        }
        let point = Array(try #require(info).suffix(65))
        #expect(PublicKeyInfo(.ellipticCurve, key: point)?.pin == certificate.pin)
    }

    @Test func `PublicKeyInfo is nil for bytes that are neither an RSA key nor an uncompressed EC point`() {
        let point = [0x04] + [UInt8](repeating: 1, count: 64)
        #expect(PublicKeyInfo(.ellipticCurve, key: point) != nil)
        #expect(PublicKeyInfo(.rsa, key: point) == nil)
        #expect(PublicKeyInfo(.ellipticCurve, key: [0x02] + point.dropFirst()) == nil)
        #expect(PublicKeyInfo(.ellipticCurve, key: point.dropLast()) == nil)
        #expect(PublicKeyInfo(.ellipticCurve, key: []) == nil)
        #expect(PublicKeyInfo(.rsa, key: []) == nil)
    }
}
#endif
