@testable import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct MessageVerifierTests {
    private static let key = HMACKey("a key of thirty-two bytes, or so.")
    private static let now = Date(1_618_884_473)
    private static let body = Data(#"{"hello": "world"}"#)

    private func signed(
        _ change: (inout MessageSignature) -> Void = { _ in },
        body: SignedBody = .data(body)
    ) async throws -> HTTPMessage {
        var signature = MessageSignature(.hmac(Self.key), over: [.method, .authority, .path, .contentDigest])
        change(&signature)
        return HTTPMessage(
            try await signature.signed(.make("POST", headers: ["Accept": "a"]), body: body, at: Self.now)
        )
    }

    private func failure(
        _ message: HTTPMessage,
        body: SignedBody = .data(body),
        at date: Date = now,
        _ change: (inout MessageVerifier) -> Void = { _ in }
    ) async -> VerificationError? {
        var verifier = MessageVerifier(covering: [.method, .path], key: .hmac(Self.key))
        change(&verifier)
        do {
            try await verifier.verify(message, body: body, at: date)
            return nil
        } catch { return error as? VerificationError }
    }

    /// RFC 9530, appendices A and B: the digests of `{"hello": "world"}` with and without a line feed.
    @Test(arguments: [
        (#"{"hello": "world"}"#, "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"),
        ("{\"hello\": \"world\"}\n", "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"),
        ("", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"),
    ])
    func `A signed message has an RFC 9530 Content-Digest, and another body fails with wrongDigest`(
        text: String,
        digest: String
    ) async throws {
        let message = try await signed(body: .data(Data(text)))
        #expect(message.headers["Content-Digest"] == digest)
        #expect(await failure(message, body: .data(Data(text))) == nil)
        #expect(await failure(message, body: .data(Data(text + " "))) == .wrongDigest)
        #expect(await failure(message, body: .unsigned) == nil)
    }

    @Test func `Verifying an HTTP message fails with noKeyFits when a signed component was changed`() async throws {
        let message = try await signed()
        let url = try #require(URL(string: "https://api.example/v2"))
        #expect(await failure(HTTPMessage(method: "POST", url: url, headers: message.headers)) == .noKeyFits)
        var other = message
        other.headers["Content-Digest"] = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        #expect(await failure(other, body: .data(Data())) == .noKeyFits)
        other = message
        other.headers["Signature-Input"] = message.headers["Signature-Input"]?.replacing("created=1", with: "created=2")
        #expect(await failure(other) { $0.window = nil } == .noKeyFits)
        other = message
        other.headers["X-Other"] = "not covered"
        #expect(await failure(other) == nil)
    }

    @Test
    func `Verifying an HTTP message fails with notCovered when a required component is not signed`() async throws {
        let message = try await signed()
        #expect(await failure(message) { $0.components.append("date") } == .notCovered(#""date""#))
        let without = try await signed({ $0.components = [.method, .path] }, body: .unsigned)
        #expect(await failure(without, body: .unsigned) == nil)
        #expect(await failure(without) == .notCovered(#""content-digest""#))
        let bytes = try await signed({ $0.components = [.method, .path, .bytes(ofField: "accept")] }, body: .unsigned)
        #expect(await failure(bytes) == .notCovered(#""content-digest""#))
    }

    @Test
    func `Verifying an HTTP message fails with expired, tooOld or fromTheFuture, depending on its date`() async throws {
        let message = try await signed { $0.lifetime = .seconds(60) }
        #expect(await failure(message, at: Self.now.addingTimeInterval(60)) == nil)
        #expect(await failure(message, at: Self.now.addingTimeInterval(61)) == .expired(ago: .seconds(1)))
        #expect(await failure(message, at: Date(.nan)) == .fromTheFuture(by: .zero, allowed: .seconds(300)))
        let plain = try await signed()
        #expect(await failure(plain, at: Self.now.addingTimeInterval(300)) == nil)
        #expect(
            await failure(plain, at: Self.now.addingTimeInterval(301))
                == .tooOld(age: .seconds(301), allowed: .seconds(300))
        )
        #expect(
            await failure(plain, at: Self.now.addingTimeInterval(-301))
                == .fromTheFuture(by: .seconds(301), allowed: .seconds(300))
        )
        #expect(await failure(plain, at: .distantFuture) { $0.window = nil } == nil)
    }

    @Test
    func `Message verification throws wrongParameter for a wrong tag or algorithm, noKeyFits without a key`()
        async throws
    {
        let message = try await signed {
            ($0.algorithm, $0.tag, $0.keyID) = ("hmac-sha256", "app", #"a "quoted" \ name"#)
        }
        #expect(await failure(message) { $0.tag = "app" } == nil)
        #expect(await failure(message) { $0.tag = "other" } == .wrongParameter("tag"))
        let other = try await signed { $0.algorithm = "ed25519" }
        #expect(await failure(other) == .wrongParameter("alg"))
        let found = MessageVerifier(covering: []) { parameters in
            parameters.keyID == #"a "quoted" \ name"# ? .hmac(Self.key) : nil
        }
        try await found.verify(message, body: .data(Self.body), at: Self.now)
        await #expect(throws: VerificationError.noKeyFits) {
            try await found.verify(other, body: .unsigned, at: Self.now)
        }
        let empty = MessageVerifier(covering: [], key: .hmac(HMACKey("")))
        await #expect(throws: VerificationError.emptyKey) {
            try await empty.verify(message, body: .unsigned, at: Self.now)
        }
    }

    @Test
    func `A message with several signatures is verified by label, or fails with noSignature without one`() async throws
    {
        var signature = MessageSignature(.hmac(Self.key), over: [.method, .path])
        var request = URLRequest.make("POST")
        for label in ["a", "b", "a"] {
            signature.label = label
            request = try await signature.signed(request, at: Self.now)
        }
        let message = HTTPMessage(request)
        #expect(message.headers["Signature"]?.filter { $0 == "=" }.count == 4)
        #expect(await failure(message, body: .unsigned) == .noSignature(label: nil))
        #expect(await failure(message, body: .unsigned) { $0.label = "c" } == .noSignature(label: "c"))
        for label in ["a", "b"] { #expect(await failure(message, body: .unsigned) { $0.label = label } == nil) }
        // A signature that covers another one (section 4.3).
        signature.components = [.member("b", ofField: "signature")]
        signature.label = "proxy"
        let proxied = HTTPMessage(try await signature.signed(request, at: Self.now))
        #expect(
            await failure(proxied, body: .unsigned) {
                ($0.label, $0.components) = ("proxy", [.member("b", ofField: "Signature")])
            } == nil
        )
    }

    @Test
    func `A response signature that covers its request fails with unknownComponent without that request`() async throws
    {
        let request = URLRequest.make("POST")
        var response = HTTPMessage(status: 200, headers: ["Content-Type": "a"], answering: HTTPMessage(request))
        let signature = MessageSignature(.hmac(Self.key), over: [.status, .method.ofRequest, .path.ofRequest])
        for (name, value) in try await signature.fields(for: response, at: Self.now) { response.headers[name] = value }
        #expect(response.headers["Signature-Input"]?.contains(#"("@status" "@method";req "@path";req)"#) == true)
        #expect(await failure(response, body: .unsigned) { $0.components = [.method.ofRequest] } == nil)
        let url = try #require(request.url)
        let received = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: nil,
                headerFields: response.headers.dictionary
            )
        )
        let whole = HTTPMessage(received, answering: request)
        #expect(await failure(whole, body: .unsigned) { $0.components = [.status] } == nil)
        #expect(
            await failure(HTTPMessage(received), body: .unsigned) { $0.components = [] }
                == .unknownComponent(#""@method";req"#)
        )
    }

    @Test(arguments: [
        (#"a=("@method")"#, "a=:AAAA:", VerificationError.missingParameter("created")),
        ("", "", .noSignature(label: nil)), ("a=()", "", .noSignature(label: nil)),
        ("a=();created=1", "b=:AAAA:", .noSignature(label: nil)),
        ("a=();created=1618884473", "a=:AAAA:", .noKeyFits), ("a=();created=1618884473", "a=::", .noKeyFits),
        ("a=();created=1618884473", "a=AAAA", .malformedHeader(name: "Signature")),
        ("a=();created=1618884473", "a=:A:", .malformedHeader(name: "Signature")),
        ("a=();created=1618884473", "a=:AAAA", .malformedHeader(name: "Signature")),
        ("a=1", "a=:AAAA:", .malformedHeader(name: "Signature-Input")),
        ("a=(", "a=:AAAA:", .malformedHeader(name: "Signature-Input")),
        ("a=(1);created=1618884473", "a=:AAAA:", .malformedHeader(name: "Signature-Input")),
        (#"a=("@path" "@path");created=1618884473"#, "a=:AAAA:", .malformedHeader(name: "Signature-Input")),
        (#"a=("é")"#, "a=:AAAA:", .malformedHeader(name: "Signature-Input")),
        ("a=()\u{0}", "a=:AAAA:", .malformedHeader(name: "Signature-Input")),
        ("a=()\r\n;created=1", "a=:AAAA:", .malformedHeader(name: "Signature-Input")),
        (#"a=();created="1618884473""#, "a=:AAAA:", .wrongParameter("created")),
        ("a=();created=1618884473.5", "a=:AAAA:", .wrongParameter("created")),
        ("a=();created=1618884473;alg=hmac-sha256", "a=:AAAA:", .wrongParameter("alg")),
        (
            "a=();created=-999999999999999", "a=:AAAA:",
            .tooOld(age: .seconds(999_999_999_999_999 + 1_618_884_473 > 1e15 ? 1e15 : 0), allowed: .seconds(300))
        ),
        (#"a=("x-missing");created=1618884473"#, "a=:AAAA:", .unknownComponent(#""x-missing""#)),
        (#"a=("@other");created=1618884473"#, "a=:AAAA:", .unknownComponent(#""@other""#)),
        (#"a=("X-A");created=1618884473"#, "a=:AAAA:", .unknownComponent(#""X-A""#)),
        (#"a=("x-a";sf);created=1618884473"#, "a=:AAAA:", .unknownComponent(#""x-a";sf"#)),
        (#"a=("x-a";tr);created=1618884473"#, "a=:AAAA:", .unknownComponent(#""x-a";tr"#)),
        (#"a=("x-a";bs;key="b");created=1618884473"#, "a=:AAAA:", .unknownComponent(#""x-a";bs;key="b""#)),
        (#"a=("@path";name="b");created=1618884473"#, "a=:AAAA:", .unknownComponent(#""@path";name="b""#)),
        (#"a=("@query-param");created=1618884473"#, "a=:AAAA:", .unknownComponent(#""@query-param""#)),
        (#"a=("a: b");created=1618884473"#, "a=:AAAA:", .unknownComponent(#""a: b""#)),
    ])
    func `Verifying a malformed Signature or Signature-Input header throws an error that names the problem`(
        input: String,
        signature: String,
        error: VerificationError
    ) async throws {
        let url = try #require(URL(string: "https://api.example/v1"))
        let message = HTTPMessage(
            method: "GET",
            url: url,
            headers: ["Signature-Input": input, "Signature": signature, "X-A": "b"]
        )
        #expect(await failure(message, body: .unsigned) { $0.components = [] } == error)
    }

    @Test
    func `Verifying a message without a Signature or Signature-Input header fails with missingHeader`() async throws {
        var message = try await signed()
        message.headers.remove(name: "Signature")
        #expect(await failure(message) == .missingHeader(name: "Signature"))
        message.headers.remove(name: "Signature-Input")
        #expect(await failure(message) == .missingHeader(name: "Signature-Input"))
    }

    @Test
    func `A wrong or unsupported Content-Digest fails with wrongDigest, a malformed one with malformedHeader`()
        async throws
    {
        for (value, error) in [
            ("sha-512=:AAAA:", VerificationError.wrongDigest), ("sha-256=?1", .wrongDigest),
            ("sha-256=::", .wrongDigest),
            ("sha-256", .wrongDigest), ("sha-256=:A", .malformedHeader(name: "Content-Digest")), ("", .wrongDigest),
        ] {
            let signature = MessageSignature(.hmac(Self.key), over: [.method, .path, .contentDigest])
            let request = URLRequest.make("POST", headers: ["Content-Digest": value])
            let message = HTTPMessage(try await signature.signed(request, at: Self.now))
            #expect(await failure(message) == error, "\(value)")
        }
    }
}
