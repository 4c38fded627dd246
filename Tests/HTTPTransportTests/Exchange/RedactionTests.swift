import LoopbackServer
import Foundation
import HostileServer
import TestTiers
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One word in every place that may be secret; nothing that is printed shows it.
@Suite(.limited) struct RedactionTests {
    private static let text = "http://canary:canary@127.0.0.1:1/path?key=canary&canary&empty=#canary"

    /// Everything a log could make of it.
    private func printed(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var texts = ["\(value)", String(reflecting: value), dumped]
        if let error = value as? any Error {
            texts += [error.localizedDescription, (error as NSError).description, "\((error as NSError).userInfo)"]
        }
        return texts
    }

    private func secretRequest(_ text: String = text) throws -> ExchangeRequest {
        let url: URL = try #require(URL(string: text))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = ["Authorization": "canary", "X-Own": "canary", "Cookie": "canary"]
        return ExchangeRequest(request, body: .data(Data("canary".utf8)), secretHeaders: ["X-Own"])
    }

    @Test func `Printing a request shows its method and redacted URL, and no secret`() throws {
        let request = try secretRequest()
        #expect("\(request)" == "POST http://127.0.0.1:1/path?key=redacted&redacted&empty=redacted")
        for text in printed(request) { #expect(!text.contains("canary"), "\(text)") }
    }

    @Test(arguments: [
        ("http://h/p", "http://h/p"), ("http://u@h/", "http://h/"), ("http://u:p@h:8/?", "http://h:8/?"),
        ("http://h/?a=b=c&d", "http://h/?a=redacted&redacted"), ("http://h/?&", "http://h/?&"),
        ("http://h/?a=b#c=d", "http://h/?a=redacted"), ("http://a@b@h/", "http://h/"), ("/p?a=b#c", "/p?a=redacted"),
        ("//u@h/p", "//h/p"),
    ])
    func `URL.redacted removes user info, query values and the fragment`(text: String, redacted: String) throws {
        let url: URL = try #require(URL(string: text))
        #expect(url.redacted?.absoluteString == redacted)
    }

    @Test func `Printing a TransportError shows no secret, whatever its reason`() throws {
        let underlying = URLError(.unknown, userInfo: ["NSErrorFailingURLStringKey": Self.text]).withoutURLs
        let problem = TransportError.InvalidRequest(.headerValue(name: "Authorization"), .surroundingWhitespace)
        let reasons: [TransportError.Reason] = [
            .invalidRequest(problem), .hostNotFound, .cannotConnect, .connectionLost, .tls,
            .timedOut(which: .connect, after: .seconds(1)), .timedOut(which: .idle, after: .seconds(1)),
            .timedOut(which: .total, after: .seconds(1)), .tooLarge(.responseBytes, limit: 1),
            .tooLarge(.headerBytes, limit: 1), .tooManyRedirects(limit: 1), .insecureRedirect,
            .invalidRedirect(.init(.url, .userInfo)), .bodyNotReplayable, .bodyLength(declared: 1, actual: 2),
            .malformedResponse, .sessionClosed, .bufferOverflow(limit: 1), .engine,
        ]
        for reason in reasons {
            let error = TransportError(
                phase: .head,
                reason: reason,
                url: URL(string: Self.text),
                underlying: underlying
            )
            for text in printed(error) { #expect(!text.contains("canary"), "\(text)") }
            #expect(error.description.contains("(http://127.0.0.1:1/path?key=redacted&redacted&empty=redacted)"))
            #expect(error.errorDescription == error.description)
        }
        #expect(Set(reasons.map(\.description)).count == reasons.count)
    }

    /// Errors as they come: refused before sending, by the network, by the engine, and by a redirect.
    @Test(.everyEngine) func `Printing the error of a request that failed on an engine shows no secret`() async throws {
        let server = try HTTPServer { request in
            guard request.path == "/redirect" else { return .text("canary") }
            return .text("moved", status: 307, headers: HTTPFields(["Location": "http://canary@h/?canary"]))
        }
        let broken = try SocketListener { connection in
            _ = try? connection.read(until: Array("\r\n\r\n".utf8))
        }
        defer {
            server.stop()
            broken.stop()
        }
        let session = Engine.makeSession()
        var requests = [try secretRequest()]
        for place in [
            "127.0.0.1:1", "127.0.0.1:\(server.port)/redirect", "127.0.0.1:\(broken.port)", "127.0.0.1:\(server.port)",
        ] {
            requests.append(try secretRequest("http://\(place)?key=canary"))
            requests[requests.count - 1].limits.responseBytes = 1
        }
        var reasons: Set<TransportError.Reason> = []
        for request in requests {
            let error: TransportError = try #require(try await session.failure(of: request))
            reasons.insert(error.reason)
            for text in printed(error) { #expect(!text.contains("canary"), "\(text)") }
        }
        #expect(
            reasons == [
                .invalidRequest(.init(.url, .userInfo)), .cannotConnect, .connectionLost,
                .invalidRedirect(.init(.url, .userInfo)), .tooLarge(.responseBytes, limit: 1),
            ]
        )
    }
}
