import APIBaseKit
@testable import APIBaseStreams
import Basics
import Testing

struct ReprDigestTests {
    /// Of `abc`.
    private static let sha = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let other = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private func digest(_ fields: [String: String], status: Int = 200) throws -> ReprDigest? {
        let url = try #require(URL(string: "http://api.example"))
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        return ReprDigest(try #require(response))
    }

    @Test(arguments: [
        "sha-256=:\(sha):", " sha-256=:\(sha): ", "sha-512=:AAAA:,sha-256=:\(sha):", "sha-256=:\(sha):, sha-512=:AAAA:",
        "unixsum=:AA==:,\tsha-256=:\(sha):;x=1", "sha-256=?1, sha-256=:\(sha):",
    ])
    func `A valid sha-256 in a Repr-Digest header is parsed and matches no other digest`(_ field: String) throws {
        let digest = try #require(try digest(["Repr-Digest": field]))
        #expect(digest.matches(SHA256.digest(of: "abc".utf8)))
        #expect(!digest.matches(SHA256.digest(of: "".utf8)))
        #expect(!digest.matches([]))
        #expect(!digest.matches(SHA256.digest(of: "abc".utf8).dropLast()))
    }

    @Test(arguments: [
        "", "sha-256", "sha-256=", "sha-256=::", "sha-256=:\(sha)", "sha-256=\(sha)", "sha-256=:AAAA:",
        "sha-512=:\(sha):",
        "sha-256=:\(sha)\(sha):", "SHA-256=:\(sha):", "sha-256=:!\(sha.dropFirst()):", "x-sha-256=:\(sha):",
        "sha-256=\"\(sha)\"",
    ])
    func `A Repr-Digest header without a valid sha-256 is ignored`(_ field: String) throws {
        #expect(try digest(["Repr-Digest": field]) == nil)
    }

    @Test func `Content-Digest is used when Repr-Digest is missing and the response is not a 206`() throws {
        let content = ["Content-Digest": "sha-256=:\(Self.sha):"]
        #expect(try digest(content)?.matches(SHA256.digest(of: "abc".utf8)) == true)
        #expect(try digest(content, status: 206) == nil)
        let both = content.merging(["Repr-Digest": "sha-256=:\(Self.other):"]) { $1 }
        #expect(try digest(both)?.matches(SHA256.digest(of: "".utf8)) == true)
        #expect(try digest(both, status: 206)?.matches(SHA256.digest(of: "".utf8)) == true)
    }

    @Test func `A digest header is ignored when the response has a Content-Encoding such as gzip`() throws {
        let field = "sha-256=:\(Self.sha):"
        #expect(try digest(["Repr-Digest": field, "Content-Encoding": "gzip"]) == nil)
        #expect(try digest(["Repr-Digest": field, "Content-Encoding": "Identity"]) != nil)
    }
}
