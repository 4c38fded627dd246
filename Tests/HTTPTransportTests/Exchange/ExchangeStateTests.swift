import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is known of one exchange, and what follows from what its hops say.
@Suite struct ExchangeStateTests {
    final class HopStub: Subscription, Sendable {
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }

    /// One exchange whose first hop has been asked for.
    struct Trial {
        var state: ExchangeState
        let url: URL
        let hop = HopStub()

        init(
            _ method: HTTPMethod = .get,
            demand: Subscribers.Demand = .unlimited,
            limits: ExchangeLimits = .default
        ) throws {
            url = try #require(URL(string: "https://h/a"))
            let reader = SubscribedReader(AnySubscriber(EventLog()))
            state = ExchangeState(ExchangeRequest(method, to: url, limits: limits), for: reader)
            if demand > .none {
                guard case .begin = state.request(demand) else {
                    Issue.record("The first demand begins the exchange.")
                    return
                }
                #expect(state.adopt(hop, from: 0) == demand)
            }
        }

        func head(_ status: Int, _ headers: HTTPHeaders) -> ExchangeEvent {
            .head(ResponseHead(statusCode: status, headers: headers, url: url))
        }

        func isHop(_ subscription: (any Subscription)?) -> Bool { subscription as? HopStub === hop }

        /// What becomes of an event, in words.
        mutating func take(_ event: ExchangeEvent, from number: Int = 0) -> String {
            switch state.take(event, from: number) {
            case .nothing: return "nothing"
            case .pass: return "pass"
            case .respond: return "respond"
            case .drain: return "drain"
            case .abandon(let subscription): return isHop(subscription) ? "leave" : "leave another"
            case .stop(let phase, let reason, let subscription):
                return "stop \(phase) \(reason)" + (isHop(subscription) ? "" : " of another")
            }
        }

        mutating func take(_ status: Int, _ headers: HTTPHeaders = [:]) -> String { take(head(status, headers)) }
    }

    // MARK: Demand

    @Test func theFirstDemandBeginsAndLaterOnesGoToTheHop() throws {
        var trial = try Trial(demand: .none)
        func isNothing(_ response: ExchangeState.Response) -> Bool {
            if case .nothing = response { true } else { false }
        }
        #expect(isNothing(trial.state.request(.none)))
        guard case .begin(let request) = trial.state.request(.max(1)) else {
            Issue.record("The first demand begins the exchange.")
            return
        }
        #expect(request.urlRequest.url == trial.url)
        // There is no hop yet: what is asked for is told to it when it comes.
        #expect(isNothing(trial.state.request(.max(2))))
        #expect(trial.state.adopt(trial.hop, from: 0) == .max(3))
        guard case .pass(let subscription) = trial.state.request(.max(1)) else {
            Issue.record("The hop is there.")
            return
        }
        #expect(trial.isHop(subscription))
        #expect(isNothing(trial.state.request(.none)))
        _ = trial.state.close()
        #expect(isNothing(trial.state.request(.max(1))))
    }

    @Test func onlyTheSubscriptionOfTheCurrentHopIsTaken() throws {
        var trial = try Trial()
        #expect(trial.state.adopt(HopStub(), from: 0) == nil)
        #expect(trial.state.adopt(HopStub(), from: 1) == nil)
        #expect(trial.take(302, ["Location": "/b"]) == "drain")
        #expect(trial.state.follow() != nil)
        #expect(trial.state.adopt(HopStub(), from: 0) == nil)
        _ = trial.state.close()
        #expect(trial.state.adopt(HopStub(), from: 1) == nil)
    }

    /// What a hop has not used goes on to the next; what a redirect says does not count.
    @Test func demandGoesOnToTheNextHop() throws {
        var trial = try Trial(demand: .max(3))
        #expect(trial.take(.sent(bytes: 1, expected: nil)) == "pass")
        #expect(trial.take(302, ["Location": "/b"]) == "drain")
        #expect(trial.take(.body(Data(count: 10))) == "nothing")
        if case .pass = trial.state.request(.max(4)) { Issue.record("The redirect is not for the subscriber.") }
        #expect(trial.state.follow()?.1 == 1)
        trial.state.add(.max(5))
        #expect(trial.state.adopt(HopStub(), from: 1) == .max(11))
    }

    // MARK: Heads

    struct Head: Sendable, CustomTestStringConvertible {
        var method = HTTPMethod.get
        let status: Int
        var headers: HTTPHeaders = [:]
        var limits = ExchangeLimits.default
        let becomes: String

        var testDescription: String { "\(method) \(status) \(headers.dictionary)" }
    }

    static let small = ExchangeLimits.with { $0.responseBytes = 10 }
    static let tooLarge = "stop head \(TransportError.Reason.tooLarge(.responseBytes, limit: 10))"
    static let malformed = "stop head \(TransportError.Reason.malformedResponse)"

    @Test(arguments: [
        Head(status: 200, becomes: "respond"),
        Head(status: 404, headers: ["Location": "/b"], becomes: "respond"),
        Head(status: 304, headers: ["Location": "/b"], becomes: "respond"),
        Head(status: 302, becomes: "respond"),
        Head(status: 302, headers: ["Location": ""], becomes: "respond"),
        Head(status: 302, headers: ["Location": "/b"], limits: .with { $0.redirects = 0 }, becomes: "respond"),
        // Redirects.
        Head(status: 301, headers: ["Location": "/b"], becomes: "drain"),
        Head(status: 308, headers: ["Location": "https://e/", "Content-Length": "65536"], becomes: "drain"),
        Head(status: 302, headers: ["Location": "/b", "Content-Length": "65537"], becomes: "leave"),
        Head(status: 302, headers: ["Location": "/b", "Content-Length": "100"], limits: small, becomes: "drain"),
        Head(
            status: 302,
            headers: ["Location": "http://h/"],
            becomes: "stop redirect \(TransportError.Reason.insecureRedirect)"
        ),
        Head(
            status: 302,
            headers: ["Location": "ftp://h/"],
            becomes: "stop redirect \(TransportError.Reason.invalidRedirect(InvalidRequest(.url, .unsupportedScheme)))"
        ),
        // Heads that mean nothing.
        Head(status: 99, becomes: malformed),
        Head(status: 1_000, becomes: malformed),
        Head(status: 200, headers: ["Content-Length": "1", "content-length": "2"], becomes: malformed),
        Head(status: 200, headers: ["Content-Length": "x"], becomes: malformed),
        Head(status: 302, headers: ["Location": "/b", "A": "b\r\nc"], becomes: malformed),
        // Limits.
        Head(status: 200, headers: ["Content-Length": "10"], limits: small, becomes: "respond"),
        Head(status: 200, headers: ["Content-Length": "11"], limits: small, becomes: tooLarge),
        Head(method: .head, status: 200, headers: ["Content-Length": "11"], limits: small, becomes: "respond"),
        Head(status: 304, headers: ["Content-Length": "11"], limits: small, becomes: "respond"),
        Head(status: 204, headers: ["Content-Length": "11"], limits: small, becomes: "respond"),
        Head(
            status: 200,
            headers: ["A": "12345"],
            limits: .with { $0.headerBytes = 10 },
            becomes: "respond"
        ),
        Head(
            status: 200,
            headers: ["A": "123456"],
            limits: .with { $0.headerBytes = 10 },
            becomes: "stop head \(TransportError.Reason.tooLarge(.headerBytes, limit: 10))"
        ),
        Head(
            status: 302,
            headers: ["Location": "/b"],
            limits: .with { $0.headerBytes = 13 },
            becomes: "stop head \(TransportError.Reason.tooLarge(.headerBytes, limit: 13))"
        ),
    ])
    func whatBecomesOfAHead(_ test: Head) throws {
        var trial = try Trial(test.method, limits: test.limits)
        #expect(trial.take(test.status, test.headers) == test.becomes)
    }
}
