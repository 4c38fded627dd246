import APIBaseSigning
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct HMACSignatureTests {
    /// The example of Slack ("Verifying requests from Slack").
    @Test func `The request example of the Slack documentation gets the documented HMAC signature`() throws {
        let body =
            "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
            + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
            + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554"
            + "%2F96rGlfmibIGlgcZRskXaIFfN"
            + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
        var signature = HMACSignature(
            key: HMACKey("8f742231b10e8888abcd99yyyzzz85a5"),
            of: [.text("v0"), .timestamp, .body],
            in: "X-Slack-Signature"
        )
        signature.separator = ":"
        signature.prefix = "v0="
        signature.timestampHeader = "X-Slack-Request-Timestamp"
        let signed = try signature.signed(.make("POST"), body: .data(Data(body)), at: Date(1_531_420_618))
        #expect(signed.value(forHTTPHeaderField: "X-Slack-Request-Timestamp") == "1531420618")
        #expect(
            signed.value(forHTTPHeaderField: "X-Slack-Signature")
                == "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
        )
    }

    /// By Python's `hmac`.
    @Test func `An HMACSignature over six parts of a request equals the HMAC that Python computes`() throws {
        let parts: [HMACSignature.Part] = [
            .method, .path, .query, .header("content-type"), .timestamp, .bodyDigest(.hex),
        ]
        let request = URLRequest.make(
            "POST",
            "https://api.example/a/b?x=1#c",
            headers: ["Content-Type": " application/json "]
        )
        let signature = HMACSignature(key: HMACKey("key"), of: parts, in: "X-Signature")
        #expect(
            try signature.signature(of: request, body: .data(Data(#"{"a": 1}"#)), at: Date(1_614_265_330))
                == "3bb10ee94214dd657bb76d97a8089aff7de3796ff87340b6b8407d8923fa2fd1"
        )
    }

    @Test func `An HMACSignature is written in its encoding, which is hex, base64 or base64URL`() throws {
        var signature = HMACSignature(key: HMACKey("key"), of: [.timestamp, .body], in: "X-Signature")
        signature.separator = "."
        let date = Date(1_614_265_330)
        func text(_ encoding: HMACSignature.Encoding) throws -> String {
            signature.encoding = encoding
            return try signature.signature(of: .make(), body: .data(Data("{}")), at: date)
        }
        #expect(try text(.hex) == "76b7952cf59e475295337c467d6c1b7ba034824cc8fab2503af37ffc8b28fe90")
        #expect(try text(.base64) == "dreVLPWeR1KVM3xGfWwbe6A0gkzI+rJQOvN//Iso/pA=")
        #expect(try text(.base64URL) == "dreVLPWeR1KVM3xGfWwbe6A0gkzI-rJQOvN__Iso_pA")
    }

    /// Each part by itself gives the signature of the text that stands for it.
    @Test(arguments: [
        (HMACSignature.Part.text("größer"), "größer"), (.method, "PUT"), (.host, "api.example:8080"),
        (.path, "/a%2Fb/c"), (.query, "x=%20&y"), (.target, "/a%2Fb/c?x=%20&y"), (.header("X-A"), "b  c"),
        (.timestamp, "1531420618"), (.body, "body"),
        (.bodyDigest(.base64), "Iw2DWNyOiJC0xY3utikS7i8gNXrpKlzIYbmOaP4xrLU="),
    ])
    func `Each part of an HMACSignature, such as path or body, signs exactly that text of the request`(
        part: HMACSignature.Part,
        text: String
    ) throws {
        let request = URLRequest.make(
            "PUT",
            "http://user@api.example:8080/a%2Fb/c?x=%20&y#z",
            headers: ["X-A": "\tb  c "]
        )
        let date = Date(1_531_420_618.9)
        func code(_ part: HMACSignature.Part) throws -> String {
            try HMACSignature(key: HMACKey("key"), of: [part], in: "A")
                .signature(of: request, body: .data(Data("body")), at: date)
        }
        #expect(try code(part) == (try code(.text(text))))
        #expect(try code(part) != (try code(.text(text + " "))))
    }

    @Test func `HMACSignature signs a URL without path and query with a slash as path and an empty query`() throws {
        let signature = HMACSignature(key: HMACKey("key"), of: [.host, .path, .query, .target], in: "A")
        let text = HMACSignature(key: HMACKey("key"), of: [.text("api.example\n/\n\n/")], in: "A")
        let request = URLRequest.make("GET", "https://api.example:443")
        #expect(try signature.signature(of: request, at: Date(0)) == (try text.signature(of: request, at: Date(0))))
    }

    /// As the `Host` header, which has no zone.
    @Test(arguments: [
        ("[fe80::1%25eth0]:8080", "[fe80::1]:8080"), ("[::1]", "[::1]"), ("[fe80::1%25a]:80", "[fe80::1]"),
    ])
    func `HMACSignature signs an IPv6 host without its zone`(written: String, sent: String) throws {
        let signature = HMACSignature(key: HMACKey("key"), of: [.host], in: "A")
        let text = HMACSignature(key: HMACKey("key"), of: [.text(sent)], in: "A")
        let request = URLRequest.make("GET", "http://\(written)/a")
        #expect(try signature.signature(of: request, at: Date(0)) == (try text.signature(of: request, at: Date(0))))
    }

    @Test func `An HMACSignature set to milliseconds sends its timestamp header in milliseconds`() throws {
        var signature = HMACSignature(key: HMACKey("key"), of: [.timestamp], in: "A")
        signature.timestamp = .milliseconds
        signature.timestampHeader = "X-Time"
        let signed = try signature.signed(.make(), at: Date(1_531_420_618.25))
        #expect(signed.value(forHTTPHeaderField: "X-Time") == "1531420618250")
    }

    @Test
    func `An HMACSignature of a body file equals that of its bytes; a missing file throws unreadableBody`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("signing-\(UUID().uuidString)")
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let signature = HMACSignature(key: HMACKey("key"), of: [.body, .bodyDigest(.hex)], in: "A")
        #expect(
            try signature.signature(of: .make(), body: .file(file), at: Date(0))
                == (try signature.signature(of: .make(), body: .data(data), at: Date(0)))
        )
        let missing = file.appendingPathExtension("missing")
        #expect(throws: SigningError.unreadableBody(path: missing.path)) {
            try signature.signature(of: .make(), body: .file(missing), at: Date(0))
        }
    }

    @Test
    func `HMACSignature throws SigningError for an empty key, missing header or body, bad URL or bad date`() throws {
        func failure(
            _ part: HMACSignature.Part,
            _ request: URLRequest = .make(),
            _ body: SignedBody = .unsigned,
            key: String = "key",
            at date: Date = Date(0)
        ) -> SigningError? {
            do {
                let signature = HMACSignature(key: HMACKey(key), of: [part], in: "A")
                _ = try signature.signature(of: request, body: body, at: date)
                return nil
            } catch { return error as? SigningError }
        }
        #expect(failure(.method, key: "") == .emptyKey)
        #expect(failure(.body) == .bodyNotPassed)
        #expect(failure(.body, .make(), .sha256(Data(count: 32))) == .bodyNotPassed)
        #expect(failure(.bodyDigest(.hex), .make(), .sha256(Data(count: 32))) == nil)
        #expect(failure(.bodyDigest(.hex), .make(), .sha256(Data(count: 31))) == .bodyNotPassed)
        #expect(failure(.header("X-A")) == .missingHeader(name: "X-A"))
        #expect(failure(.path, .make("GET", "/relative")) == .invalidURL)
        #expect(failure(.host, .make("GET", "https:///a")) == .invalidURL)
        #expect(failure(.timestamp, at: Date(-1)) == .invalidDate)
        #expect(failure(.timestamp, at: Date(.infinity)) == .invalidDate)
        #expect(failure(.timestamp, at: Date(.nan)) == .invalidDate)
        #expect(failure(.timestamp, at: Date(1e300)) == .invalidDate)
        #expect(failure(.timestamp, at: .distantFuture) == nil)
    }
}
