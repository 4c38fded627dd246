import LoopbackServer
import Foundation
import HostileServer
import Basics
import TestTiers
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every redirect status, to every kind of place, with and without a body, there and back: what the servers received.
@Suite(.limited) struct RedirectPolicyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        enum Place: String, CaseIterable { case sameOrigin, otherPort, otherHostName }

        let status: Int
        let place: Place
        let method: HTTPMethod
        let comesBack: Bool

        var testDescription: String { "\(status) \(method) \(place)\(comesBack ? " and back" : "")" }

        static let all = [301, 302, 303, 307, 308].flatMap { status in
            Place.allCases.flatMap { place in
                [HTTPMethod.get, .post, .put, .query].flatMap { method in
                    [false, true].map { Case(status: status, place: place, method: method, comesBack: $0) }
                }
            }
        }

        /// Fewer, with each kind of status and every place.
        static let some = all.filter { test in
            ([301, 303, 308].contains(test.status) || test.method == .query) && test.method != .get
                && test.comesBack == (test.place != .sameOrigin)
        }

        /// The method of the hops after the first (RFC 9110, sections 15.4.2 to 15.4.9; RFC 10008, section 2.5).
        var nextMethod: HTTPMethod {
            switch (status, method) {
            case (303, _): .get
            case (301, .post), (302, .post): .get
            default: method
            }
        }
    }

    private static let secrets = [
        "Authorization": "Bearer canary", "Cookie": "sid=canary", "X-Api-Key": "canary", "X-Own-Secret": "canary",
    ]
    private static let content = ["Content-Type": "text/plain", "Content-Language": "de"]

    @Test(.everyEngine, arguments: runsAllTests ? Case.all : Case.some)
    func `A redirect keeps or drops method, body and secret headers by its status and target origin`(_ test: Case)
        async throws
    {
        let seen = Locked<[ServerRequest]>([])
        let locations = Locked<[String: String]>([:])
        let handler: HTTPServer.Handler = { request in
            seen.withLock { $0.append(request) }
            guard let location = locations.withLock({ $0[request.path] }) else { return .text("end") }
            return .text("moved", status: test.status, headers: HTTPFields(["Location": location]))
        }
        let home = try HTTPServer(handler: handler)
        let other = try HTTPServer(handler: handler)
        defer {
            home.stop()
            other.stop()
        }
        let there =
            switch test.place {
            case .sameOrigin: "http://127.0.0.1:\(home.port)"
            case .otherPort: "http://127.0.0.1:\(other.port)"
            case .otherHostName: "http://localhost:\(home.port)"
            }
        locations.withLock { locations in
            locations["/start"] = there + "/there"
            if test.comesBack { locations["/there"] = "http://127.0.0.1:\(home.port)/back" }
        }

        let hasBody = test.method != .get
        var headers = Self.secrets.merging(["X-Plain": "plain"]) { $1 }
        if hasBody { headers.merge(Self.content) { $1 } }
        let body = Data("the body".utf8)
        var request = try ExchangeRequest(
            test.method,
            port: home.port,
            "/start",
            headers: headers,
            body: hasBody ? .data(body) : .none
        )
        request.secretHeaders = ["x-own-SECRET"]
        let reply = try await Engine.makeSession().reply(to: request)
        #expect(reply.status == 200)
        #expect(reply.text == "end")

        let requests = seen.withLock { $0 }
        #expect(requests.map(\.path) == (test.comesBack ? ["/start", "/there", "/back"] : ["/start", "/there"]))
        #expect(reply.url.path == requests.last?.path)
        for (number, received) in requests.enumerated() {
            let method = number == 0 ? test.method : test.nextMethod
            #expect(received.method == method.rawValue)
            let keepsBody = hasBody && method == test.method
            #expect(received.body == (keepsBody ? body : Data()))
            #expect(received.headers["Content-Length"] == (keepsBody ? "8" : nil))
            #expect(received.headers["Transfer-Encoding"] == nil)
            for (name, value) in Self.content { #expect(received.headers[name] == (keepsBody ? value : nil)) }
            let isTrusted = number == 0 || test.place == .sameOrigin
            for (name, value) in Self.secrets {
                #expect(received.headers.values(for: name) == (isTrusted ? [value] : []))
            }
            #expect(String(decoding: received.rawHead, as: UTF8.self).contains("canary") == isTrusted)
            #expect(received.headers["X-Plain"] == "plain")
        }
        if requests.count > 1 { #expect(requests[1].headers["Host"].map { "http://\($0)" } == there) }
    }

    /// The headers that the session adds can be secret as well.
    @Test func `A redirect to another origin drops secret headers of the URLSessionConfiguration`() async throws {
        let seen = Locked<[String?]>([])
        let other = try HTTPServer { request in
            seen.withLock { $0 += [request.headers["X-Api-Key"], request.headers["X-Plain"]] }
            return .text("end")
        }
        let home = try HTTPServer { request in
            seen.withLock { $0 += [request.headers["X-Api-Key"], request.headers["X-Plain"]] }
            return ServerResponse(status: 307, headers: HTTPFields(["Location": "http://127.0.0.1:\(other.port)/"]))
        }
        defer {
            home.stop()
            other.stop()
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Api-Key": "canary", "X-Plain": "plain"]
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        #expect(try await session.reply(to: ExchangeRequest(port: home.port)).status == 200)
        #expect(seen.withLock { $0 } == ["canary", "plain", nil, "plain"])
    }
}
