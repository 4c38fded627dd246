import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of one exchange, and the effects of the reports of its hops.
@Suite struct ExchangeStateTests {
    /// The way in which an exchange is read.
    enum Mode: CaseIterable { case pieces, whole }

    /// One exchange whose first hop has been started.
    struct Trial {
        var exchange: TestedExchange
        let url: URL

        init(
            _ mode: Mode = .pieces,
            _ method: HTTPMethod = .get,
            demand: Subscribers.Demand = .unlimited,
            limits: ExchangeRequest.Limits = .default,
            counts: Bool = true
        ) throws {
            url = try #require(URL(string: "https://h/a"))
            let reader = TestedExchange.Reader()
            exchange = TestedExchange(
                ExchangeRequest(method, to: url, limits: limits),
                for: mode == .pieces ? .stream(reader) : .whole(reader, counts: counts),
                demand: demand
            )
        }

        func head(_ status: Int, _ headers: HTTPHeaders) -> ExchangeRequest.Event {
            .head(ResponseHead(statusCode: status, headers: headers, url: url))
        }

        /// The treatment of an event, in one word: of a queued one, when it is delivered.
        mutating func take(_ event: ExchangeRequest.Event) -> String {
            let had = exchange.state.next != nil
            let action = exchange.take(event)
            if exchange.state.collected.hasUpdates {
                while exchange.state.collected.nextUpdate() != nil {}
                return event.isHead ? "respond" : "pass"
            }
            guard !action.cancels, exchange.state.next == nil || had, let step = exchange.next() else {
                return describe(action, had: had)
            }
            switch step {
            case .event: return event.isHead ? "respond" : "pass"
            case .act(let action): return describe(action, had: had)
            case .ask, .update, .end: return "?"
            }
        }

        private func describe(_ action: ExchangeState.Action, had: Bool) -> String {
            if case .failure(let error)? = exchange.state.completion {
                return "stop \(error.phase) \(error.reason)" + (action.cancels ? "" : " of another")
            }
            guard exchange.state.next != nil else { return "nothing" }
            if action.cancels { return action.task === exchange.hop ? "leave" : "leave another" }
            return had ? "nothing" : "drain"
        }

        mutating func take(_ status: Int, _ headers: HTTPHeaders = [:]) -> String { take(head(status, headers)) }

        /// Follows to the next hop, and returns its URL; nil without one.
        mutating func follow() -> URL? {
            while let step = exchange.next() {
                if case .end(let completion, _, _) = step { ends.append(completion) }
                guard case .act(let action) = step, let request = action.start else { continue }
                exchange.hop = TestedExchange.Hop()
                #expect(exchange.state.adopt(exchange.hop) == true)
                return request.urlRequest.url
            }
            return nil
        }

        private var ends: [Subscribers.Completion<TransportError>] = []

        /// The end of the exchange, once it has been handed out.
        var ending: String? {
            switch ends.last {
            case .finished?: "finished"
            case .failure(let error)?: "\(error.reason)"
            case nil: nil
            }
        }
    }

    // MARK: Demand

    @Test
    func `The first demand starts the request, and all demand before its transfer exists is added up`() throws {
        var trial = try Trial(demand: .none)
        #expect(TestedExchange.isNothing(trial.exchange.state.request(.none)))
        let request = trial.exchange.state.request(.max(1)).start
        #expect(request?.urlRequest.url == trial.url)
        // There is no hop yet: what is asked for is kept for it.
        #expect(TestedExchange.isNothing(trial.exchange.state.request(.max(2))))
        #expect(trial.exchange.state.adopt(trial.exchange.hop) == true)
        #expect(trial.exchange.state.demand == .max(3))
        #expect(TestedExchange.isNothing(trial.exchange.state.request(.max(1))))
        #expect(trial.exchange.state.demand == .max(4))
        _ = trial.exchange.state.cancel()
        #expect(TestedExchange.isNothing(trial.exchange.state.request(.max(1))))
    }

    @Test func `An exchange ignores reports from the transfer of a redirect that it has left`() throws {
        var trial = try Trial()
        let first = trial.exchange.hop
        #expect(trial.exchange.state.isCurrent(first))
        #expect(!trial.exchange.state.isCurrent(TestedExchange.Hop()))
        #expect(trial.take(302, ["Location": "/b"]) == "drain")
        _ = trial.exchange.finish()
        #expect(!trial.exchange.state.isCurrent(first))
        #expect(trial.follow() != nil)
        #expect(!trial.exchange.state.isCurrent(first))
        let later = [
            trial.exchange.state.take(.body(Data(count: 1)), from: first, at: 0),
            trial.exchange.state.finished(EngineFailure(reason: .tls), from: first, at: 0),
            trial.exchange.state.ended(nil, from: first, at: 0),
            trial.exchange.state.began(first, at: 0),
        ]
        #expect(later.allSatisfy { TestedExchange.isNothing($0) })
        #expect(trial.exchange.state.completion == nil)
        _ = trial.exchange.state.cancel()
        #expect(trial.exchange.state.adopt(TestedExchange.Hop()) == false)
    }

    /// Demand that a hop has not used passes to the next; the events of a redirect use none.
    @Test
    func `Unused demand carries over when a redirect is followed, and the redirect's own events use none`() throws {
        var trial = try Trial(demand: .max(3))
        #expect(trial.take(.sent(bytes: 1, expected: nil)) == "pass")
        #expect(trial.take(302, ["Location": "/b"]) == "drain")
        #expect(trial.take(.body(Data(count: 10))) == "nothing")
        #expect(TestedExchange.isNothing(trial.exchange.state.request(.max(4))))
        _ = trial.exchange.finish()
        #expect(trial.follow() != nil)
        _ = trial.exchange.next(adding: .max(5))
        #expect(trial.exchange.state.demand == .max(11))
    }

    // MARK: Heads

    struct Head: Sendable, CustomTestStringConvertible {
        var method = HTTPMethod.get
        let status: Int
        var headers: HTTPHeaders = [:]
        var limits = ExchangeRequest.Limits.default
        let becomes: String

        var testDescription: String { "\(method) \(status) \(headers.dictionary)" }
    }

    static let small = ExchangeRequest.Limits.with { $0.responseBytes = 10 }
    static let tooLarge = "stop head \(TransportError.Reason.tooLarge(.responseBytes, limit: 10))"
    static let malformed = "stop head \(TransportError.Reason.malformedResponse)"

    private static let heads = [
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
            becomes: "stop redirect \(TransportError.Reason.invalidRedirect(.init(.url, .unsupportedScheme)))"
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
    ]

    @Test(arguments: heads, Mode.allCases)
    func `A response is delivered, followed as a redirect, or refused by its status, headers and limits`(
        _ test: Head,
        mode: Mode
    )
        throws
    {
        var trial = try Trial(mode, test.method, limits: test.limits)
        #expect(trial.take(test.status, test.headers) == test.becomes)
    }
}

extension ExchangeRequest.Event {
    fileprivate var isHead: Bool {
        if case .head = self { true } else { false }
    }
}
