import APIBaseInspector
import APIBaseKit
import Foundation
import LoopbackServer
import RawClient
import TestTiers
import Testing

/// What the server of the page gives, and to whom.
@Suite(.tags(.concurrent), .limited) struct PageServerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var target = "/events"
        var host: String? = "127.0.0.1:PORT"
        var token: String? = "TOKEN"
        var fields: [String] = []
        let status: Int

        func text(_ url: URL) -> String {
            let token = token.map { "Authorization: Bearer \($0)" }
            let lines = ["\(method) \(target) HTTP/1.1", host.map { "Host: \($0)" }, token] + fields
            return (lines.compactMap(\.self).joined(separator: "\r\n") + "\r\n\r\n")
                .replacing("PORT", with: "\(url.port ?? 0)")
                .replacing("TOKEN", with: url.fragment?.dropFirst(2) ?? "")
        }
    }

    static let cases = [
        Case(testDescription: "the page", target: "/", token: nil, status: 200),
        Case(testDescription: "its head", method: "HEAD", target: "/", token: nil, status: 200),
        Case(testDescription: "its own origin", target: "/", fields: ["Origin: http://127.0.0.1:PORT"], status: 200),
        Case(testDescription: "from itself", target: "/", fields: ["Sec-Fetch-Site: same-origin"], status: 200),
        Case(testDescription: "typed by the user", target: "/", fields: ["Sec-Fetch-Site: none"], status: 200),
        Case(testDescription: "localhost", target: "/", host: "localhost:PORT", status: 200),
        Case(testDescription: "IPv6", target: "/", host: "[::1]:PORT", status: 200),
        Case(testDescription: "no token", token: nil, status: 401),
        Case(testDescription: "empty token", token: "", status: 401),
        Case(testDescription: "wrong token", token: "00000000000000000000000000000000", status: 401),
        Case(testDescription: "longer token", token: "TOKEN0", status: 401),
        Case(testDescription: "other scheme", token: nil, fields: ["Authorization: Basic TOKEN"], status: 401),
        Case(testDescription: "token in the query", target: "/events?k=TOKEN", token: nil, status: 401),
        Case(testDescription: "another host", host: "evil.example", status: 421),
        Case(testDescription: "another host for the page", target: "/", host: "evil.example:PORT", status: 421),
        Case(testDescription: "a host that begins right", host: "127.0.0.1.evil.example:PORT", status: 421),
        Case(testDescription: "a host that ends right", host: "evil.localhost:PORT", status: 421),
        Case(testDescription: "a host in the target", target: "http://evil.example/events", status: 421),
        Case(testDescription: "another origin", fields: ["Origin: http://evil.example"], status: 403),
        Case(testDescription: "another port", fields: ["Origin: http://127.0.0.1:1"], status: 403),
        Case(
            testDescription: "two origins",
            fields: ["Origin: http://127.0.0.1:PORT", "Origin: http://evil.example"],
            status: 403
        ),
        Case(testDescription: "no origin", fields: ["Origin: null"], status: 403),
        Case(testDescription: "from another site", fields: ["Sec-Fetch-Site: cross-site"], status: 403),
        Case(testDescription: "from the same site", fields: ["Sec-Fetch-Site: same-site"], status: 403),
        Case(testDescription: "a link to the page", target: "/", fields: ["Sec-Fetch-Site: cross-site"], status: 200),
        Case(testDescription: "POST", method: "POST", fields: ["Content-Length: 0"], status: 405),
        Case(testDescription: "DELETE", method: "DELETE", status: 405),
        Case(testDescription: "OPTIONS", method: "OPTIONS", fields: ["Origin: http://evil.example"], status: 405),
        Case(testDescription: "a body", method: "POST", fields: ["Content-Length: 1"], status: 413),
        Case(testDescription: "another path", target: "/calls", status: 404),
        Case(testDescription: "a path above", target: "/../etc/passwd", status: 404),
        Case(testDescription: "no host", host: nil, status: 400),
    ]

    /// The inspector of all cases.
    private static let shared = Result { try Inspector() }

    @Test(arguments: cases)
    func `The inspector's page server refuses requests with a wrong host, origin, token, method or path`(_ test: Case)
        throws
    {
        let inspector = try Self.shared.get()
        let client = try RawClient(UInt16(try #require(inspector.url.port)))
        try client.send(test.text(inspector.url))
        let response = try client.response(toHead: test.method == "HEAD")
        #expect(response.status == test.status)
        if test.status == 401 { #expect(response.text.contains("The token is missing or wrong.")) }
        #expect(response["Access-Control-Allow-Origin"] == nil)
        #expect(!response.text.contains(inspector.url.fragment?.dropFirst(2) ?? ""))
    }

    @Test func `The inspector's page server streams events to a request that has its token`() throws {
        let inspector = try Self.shared.get()
        let client = try RawClient(UInt16(try #require(inspector.url.port)))
        try client.send(Case(testDescription: "the events", status: 200).text(inspector.url))
        let head = try client.connection.read(until: Array("\r\n\r\n".utf8))
        #expect(String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        #expect(try !client.connection.read(until: Array(": connected\n\n".utf8)).isEmpty)
    }

    @Test
    func `The inspector's page is sent with headers that forbid other content, framing, caching, referrers`() throws {
        let inspector = try Inspector()
        let client = try RawClient(UInt16(try #require(inspector.url.port)))
        let response = try client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let policy = try #require(response["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(response["X-Content-Type-Options"] == "nosniff")
        #expect(response["Cache-Control"] == "no-store")
        #expect(response["Referrer-Policy"] == "no-referrer")
        #expect(response.text.contains("<title>"))
    }

    @Test func `Each inspector has a token of its own in the URL of its page`() throws {
        let inspectors = [try Inspector(), try Inspector()]
        #expect(inspectors[0].url.fragment != inspectors[1].url.fragment)
        for inspector in inspectors {
            #expect(inspector.url.absoluteString.contains(/^http:\/\/127\.0\.0\.1:\d+\/#k=[0-9a-f]{32}$/))
        }
    }

    @Test func `Starting an inspector on a port in use throws a StartError that names the port`() throws {
        let inspector = try Inspector()
        let port = UInt16(try #require(inspector.url.port))
        let error = try #require(throws: Inspector.StartError.self) { try Inspector(port: port) }
        #expect(error.localizedDescription.hasPrefix("The inspector could not start: "))
        #expect(error.localizedDescription.contains("\(port)"))
    }
}
