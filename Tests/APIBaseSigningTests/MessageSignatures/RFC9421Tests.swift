@testable import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The vectors of RFC 9421, appendix B.
@Suite struct RFC9421Tests {
    static let digest =
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
    static let responseDigest =
        "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:"

    /// `test-request`.
    static let request = URLRequest.make(
        "POST",
        "https://example.com/foo?param=Value&Pet=dog",
        headers: [
            "Date": "Tue, 20 Apr 2021 02:07:55 GMT", "Content-Type": "application/json", "Content-Digest": digest,
            "Content-Length": "18",
        ]
    )
    /// `test-response`.
    static let response = HTTPMessage(
        status: 200,
        headers: [
            "Date": "Tue, 20 Apr 2021 02:07:56 GMT", "Content-Type": "application/json",
            "Content-Digest": responseDigest, "Content-Length": "23",
        ]
    )
    static let created = Date(1_618_884_473)
    /// `test-shared-secret`.
    static let secret =
        "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="

    struct Vector: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var components: [SignatureComponent]
        var keyID: String
        var nonce: String?
        var tag: String?
        var base: String
    }

    @Test(arguments: [
        Vector(
            testDescription: "b21",
            components: [],
            keyID: "test-key-rsa-pss",
            nonce: "b3k2pp5k7z-50gnwp.yemd",
            base: #"""
                "@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"
                """#
        ),
        Vector(
            testDescription: "b22",
            components: [.authority, "content-digest", .queryParameter("Pet")],
            keyID: "test-key-rsa-pss",
            tag: "header-example",
            base: #"""
                "@authority": example.com
                "content-digest": \#(digest)
                "@query-param";name="Pet": dog
                "@signature-params": ("@authority" "content-digest" "@query-param";name="Pet")\#
                ;created=1618884473;keyid="test-key-rsa-pss";tag="header-example"
                """#
        ),
        Vector(
            testDescription: "b23",
            components: [
                "date", .method, .path, .query, .authority, "content-type", "content-digest", "content-length",
            ],
            keyID: "test-key-rsa-pss",
            base: #"""
                "date": Tue, 20 Apr 2021 02:07:55 GMT
                "@method": POST
                "@path": /foo
                "@query": ?param=Value&Pet=dog
                "@authority": example.com
                "content-type": application/json
                "content-digest": \#(digest)
                "content-length": 18
                "@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" \#
                "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"
                """#
        ),
        Vector(
            testDescription: "b26",
            components: ["date", .method, .path, .authority, "content-type", "content-length"],
            keyID: "test-key-ed25519",
            base: #"""
                "date": Tue, 20 Apr 2021 02:07:55 GMT
                "@method": POST
                "@path": /foo
                "@authority": example.com
                "content-type": application/json
                "content-length": 18
                "@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length")\#
                ;created=1618884473;keyid="test-key-ed25519"
                """#
        ),
    ])
    func `The example requests of RFC 9421 get its signature bases when signed and when verified`(vector: Vector)
        async throws
    {
        var signature = MessageSignature(
            .custom { base in
                #expect(String(decoding: base, as: UTF8.self) == vector.base)
                return Data([1, 2, 3])
            },
            over: vector.components,
            keyID: vector.keyID
        )
        signature.label = "sig-" + vector.testDescription
        signature.tag = vector.tag
        let signed = try await signature.signed(Self.request, nonce: vector.nonce, at: Self.created)
        #expect(signed.value(forHTTPHeaderField: "Signature") == "sig-\(vector.testDescription)=:AQID:")
        let input = vector.base.split(separator: "\"@signature-params\": ").last ?? ""
        #expect(signed.value(forHTTPHeaderField: "Signature-Input") == "sig-\(vector.testDescription)=\(input)")
        #expect(signed.value(forHTTPHeaderField: "Content-Digest") == Self.digest)
        // And the receiver sees the same.
        let verifier = MessageVerifier(
            covering: vector.components,
            key: .custom(algorithm: "ed25519") { signature, base in
                #expect(String(decoding: base, as: UTF8.self) == vector.base)
                return signature == Data([1, 2, 3])
            }
        )
        let parameters = try await verifier.verify(HTTPMessage(signed), body: .unsigned, at: Self.created)
        #expect(parameters.keyID == vector.keyID && parameters.tag == vector.tag && parameters.nonce == vector.nonce)
    }

    /// B.2.4, with the published signature.
    @Test func `The example response of RFC 9421 gets the published signature base when it is verified`() async throws {
        var message = Self.response
        message.headers["Signature-Input"] =
            #"sig-b24=("@status" "content-type" "content-digest" "content-length")"#
            + #";created=1618884473;keyid="test-key-ecc-p256""#
        message.headers["Signature"] =
            "sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:"
        let verifier = MessageVerifier(
            covering: [.status],
            key: .custom(algorithm: "ecdsa-p256-sha256") { signature, base in
                #expect(
                    String(decoding: base, as: UTF8.self) == #"""
                        "@status": 200
                        "content-type": application/json
                        "content-digest": \#(Self.responseDigest)
                        "content-length": 23
                        "@signature-params": ("@status" "content-type" "content-digest" "content-length")\#
                        ;created=1618884473;keyid="test-key-ecc-p256"
                        """#
                )
                return signature.count == 64
            }
        )
        try await verifier.verify(message, body: .unsigned, at: Self.created)
    }

    /// B.2.5.
    @Test func `The HMAC example of RFC 9421 gets the published signature and is verified`() async throws {
        let key = try #require(HMACKey(base64: Self.secret))
        var signature = MessageSignature(
            .hmac(key),
            over: ["date", "@authority", "content-type"],
            keyID: "test-shared-secret"
        )
        signature.label = "sig-b25"
        let signed = try await signature.signed(Self.request, at: Self.created)
        #expect(
            signed.value(forHTTPHeaderField: "Signature-Input")
                == #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#
        )
        #expect(
            signed.value(forHTTPHeaderField: "Signature") == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:"
        )
        let verifier = MessageVerifier(covering: [.authority], key: .hmac(key))
        try await verifier.verify(HTTPMessage(signed), body: .unsigned, at: Self.created)
    }

    /// Section 2: the order of parameters counts when they are written, and not when they are compared.
    @Test
    func `Signature components that differ only in parameter order are equal, but each is written as given`() throws {
        let one = SignatureComponent.queryParameter("a").ofRequest
        var item = StructuredField.Item(value: .string("@query-param"))
        item.parameters["req"] = .boolean(true)
        item.parameters["name"] = .string("a")
        let other = SignatureComponent(item)
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one.description != other.description)
        #expect(one != .queryParameter("a"))
    }

    /// Section 2.2.8.
    @Test(arguments: [
        ("var", #""@query-param";name="var""#, "this%20is%20a%20big%0Amultiline%20value"),
        ("bar", #""@query-param";name="bar""#, "with%20plus%20whitespace"),
        ("façade\": ", #""@query-param";name="fa%C3%A7ade%22%3A%20""#, "something"),
    ])
    func `A query parameter as signature component gets the name and value of the RFC 9421 examples`(
        name: String,
        component: String,
        value: String
    ) {
        let query =
            "var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something"
        let message = HTTPMessage(.make("GET", "https://www.example.com/parameters?" + query))
        #expect(SignatureComponent.queryParameter(name).description == component)
        #expect(SignatureComponent.queryParameter(name).value(in: message) == value)
    }

    /// Sections 2.1 to 2.1.3.
    @Test(arguments: [
        (SignatureComponent.field("Host"), "www.example.com"), ("x-ows-header", "Leading and trailing whitespace."),
        ("x-obs-fold-header", nil), ("cache-control", "max-age=60, must-revalidate"), ("x-empty-header", ""),
        ("x-missing", nil), (.member("a", ofField: "Example-Dict"), "1"), (.member("d", ofField: "Example-Dict"), "?1"),
        (.member("b", ofField: "Example-Dict"), "2;x=1;y=2"), (.member("c", ofField: "Example-Dict"), "(a   b    c)"),
        (.member("z", ofField: "Example-Dict"), nil),
        (.bytes(ofField: "Example-Header"), ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:"),
        ("example-header", "value, with, lots, of, commas"), (.bytes(ofField: "x-umlaut"), ":w7w=:"), ("x-umlaut", nil),
    ])
    func `Header fields as signature components get the values of RFC 9421, or nil if missing or invalid`(
        component: SignatureComponent,
        value: String?
    ) {
        let message = HTTPMessage(
            method: "GET",
            url: URL(fileURLWithPath: "/"),
            headers: [
                "Host": "www.example.com", "X-OWS-Header": "  Leading and trailing whitespace. \t",
                "X-Obs-Fold-Header": "Obsolete\r\n    line folding.", "Cache-Control": "max-age=60",
                "Cache-Control": "   must-revalidate", "X-Empty-Header": "",
                "Example-Dict": "  a=1,    b=2;x=1;y=2,   c=(a   b    c), d", "Example-Header": "value, with, lots",
                "Example-Header": "of, commas", "X-Umlaut": "ü",
            ]
        )
        #expect(component.value(in: message) == value?.replacing("(a   b    c)", with: "(a b c)"))
    }

    /// Section 2.2.
    @Test(arguments: [
        ("https://WWW.Example.com:443", "www.example.com", "/", "?", "/", "https://WWW.Example.com/"),
        ("http://a.example:80/b?", "a.example", "/b", "?", "/b?", "http://a.example/b?"),
        (
            "https://u:p@a.example:8443/b%20c?d#e", "a.example:8443", "/b%20c", "?d", "/b%20c?d",
            "https://a.example:8443/b%20c?d"
        ),
        ("https://[::1]:1/?a", "[::1]:1", "/", "?a", "/?a", "https://[::1]:1/?a"),
    ])
    func `Signature components such as method and path get the values of RFC 9421 section 2.2`(
        url: String,
        authority: String,
        path: String,
        query: String,
        target: String,
        whole: String
    ) {
        let message = HTTPMessage(.make("OPTIONS", url))
        let components: [SignatureComponent] = [
            .authority, .path, .query, .requestTarget, .targetURI, .method, .scheme,
        ]
        let scheme = String(url.prefix { $0 != ":" })
        #expect(components.map { $0.value(in: message) } == [authority, path, query, target, whole, "OPTIONS", scheme])
        #expect(SignatureComponent.status.value(in: message) == nil)
        #expect(SignatureComponent("@signature-params").value(in: message) == nil)
        let answer = HTTPMessage(status: 404, headers: [:], answering: message)
        #expect(SignatureComponent.status.value(in: answer) == "404")
        #expect(SignatureComponent.path.value(in: answer) == nil)
        #expect(SignatureComponent.path.ofRequest.value(in: answer) == path)
        #expect(SignatureComponent.path.ofRequest.description == #""@path";req"#)
    }
}
