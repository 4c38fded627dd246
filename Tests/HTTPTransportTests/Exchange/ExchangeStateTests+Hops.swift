import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

extension ExchangeStateTests {
    // MARK: Bodies

    @Test(arguments: Mode.allCases)
    func `A response body whose chunks together exceed responseBytes fails with tooLarge`(mode: Mode) throws {
        var trial = try Trial(mode, limits: Self.small)
        #expect(trial.take(200) == "respond")
        #expect(trial.take(.body(Data(count: 6))) == "pass")
        #expect(trial.take(.body(Data(count: 4))) == "pass")
        let tooMuch = TransportError.Reason.tooLarge(.responseBytes, limit: 10)
        #expect(trial.take(.body(Data(count: 1))) == "stop body \(tooMuch)")
    }

    /// The bodies of redirects do not count, and each hop begins anew.
    @Test(arguments: Mode.allCases)
    func `A redirect's body is read and dropped up to 64 KiB, and its transfer is canceled beyond that`(mode: Mode)
        throws
    {
        var trial = try Trial(mode, limits: Self.small)
        for number in 0..<3 {
            #expect(trial.take(trial.head(302, ["Location": "/\(number)"])) == "drain")
            #expect(trial.take(.sent(bytes: 1, expected: nil)) == "nothing")
            #expect(trial.take(.body(Data(count: 65_535))) == "nothing")
            #expect(trial.take(.body(Data(count: 1))) == "nothing")
            #expect(trial.take(.body(Data(count: 1))).hasPrefix("leave"))
            let left = trial.exchange.hop
            // The hop that was left is not heard any more.
            #expect(!trial.exchange.state.isCurrent(left))
            #expect(trial.follow()?.absoluteString == "https://h/\(number)")
            #expect(!trial.exchange.state.isCurrent(left))
            #expect(trial.exchange.state.isCurrent(trial.exchange.hop))
        }
        #expect(trial.take(trial.head(200, [:])) == "respond")
        #expect(trial.take(.body(Data(count: 10))) == "pass")
    }

    // MARK: Hop after hop

    @Test(arguments: [1, 2, 10], Mode.allCases)
    func `An exchange with one redirect more than its limit fails with tooManyRedirects`(limit: Int, mode: Mode) throws
    {
        var trial = try Trial(mode, limits: .with { $0.redirects = limit })
        for number in 0..<limit {
            #expect(trial.take(trial.head(302, ["Location": "/\(number)"])) == "drain")
            _ = trial.exchange.finish()
            #expect(trial.follow()?.absoluteString == "https://h/\(number)")
        }
        #expect(
            trial.take(trial.head(302, ["Location": "/x"]))
                .hasPrefix("stop redirect \(TransportError.Reason.tooManyRedirects(limit: limit))")
        )
        #expect(trial.follow() == nil)
    }

    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: TransportError.Reason?
        var isRedirect = true
        let isFollowed: Bool
    }

    /// A redirect whose body breaks off is followed all the same; time that is over stays over.
    @Test(
        arguments: [
            End(testDescription: "a redirect, whole", failure: nil, isFollowed: true),
            End(testDescription: "a redirect, broken off", failure: .connectionLost, isFollowed: true),
            End(testDescription: "a redirect, badly coded", failure: .malformedResponse, isFollowed: true),
            End(
                testDescription: "a redirect, out of time",
                failure: .timedOut(which: .total, after: .seconds(1)),
                isFollowed: false
            ),
            End(testDescription: "a response, whole", failure: nil, isRedirect: false, isFollowed: false),
            End(
                testDescription: "a response, broken off",
                failure: .connectionLost,
                isRedirect: false,
                isFollowed: false
            ),
        ],
        Mode.allCases
    )
    func `A redirect is followed even if its body breaks off, but not if it times out`(_ test: End, mode: Mode) throws {
        var trial = try Trial(mode)
        _ = trial.take(test.isRedirect ? 302 : 200, ["Location": "/b"])
        _ = trial.exchange.finish(test.failure.map { EngineFailure(reason: $0) })
        #expect((trial.follow() != nil) == test.isFollowed)
        guard !test.isFollowed else { return #expect(trial.ending == nil) }
        #expect(trial.ending == (test.failure.map { "\($0)" } ?? "finished"))
        #expect(trial.follow() == nil)
    }

    /// The redirect has ended before there is demand for its head.
    @Test func `A redirect that ends while nothing is demanded is followed once the subscriber demands more`() throws {
        var trial = try Trial(.pieces, demand: .max(1))
        #expect(trial.take(.sent(bytes: 1, expected: nil)) == "pass")
        #expect(trial.take(302, ["Location": "/b"]) == "nothing")
        #expect(trial.take(.body(Data(count: 10))) == "nothing")
        _ = trial.exchange.finish()
        #expect(trial.follow() == nil)
        #expect(trial.exchange.state.request(.max(1)).delivers)
        #expect(trial.follow()?.absoluteString == "https://h/b")
        #expect(trial.exchange.state.demand == .max(1))
    }

    // MARK: The end

    @Test(arguments: Mode.allCases)
    func `Canceling during a redirect releases the subscriber and cancels the transfer exactly once`(mode: Mode) throws
    {
        var trial = try Trial(mode)
        #expect(trial.take(302, ["Location": "/b"]) == "drain")
        let action = trial.exchange.state.cancel()
        #expect(action.reading != nil)
        #expect(action.cancels)
        #expect(action.task === trial.exchange.hop)
        #expect(trial.follow() == nil)
        #expect(trial.take(.body(Data(count: 100_000))) == "nothing")
        #expect(TestedExchange.isNothing(trial.exchange.finish()))
        let again = trial.exchange.state.cancel()
        #expect(again.reading == nil)
        #expect(again.task == nil)
        #expect(!again.cancels)
    }

    // MARK: Read as a whole

    /// The updates since the last one, in a sensible order, and the whole response at the end.
    @Test(arguments: [false, true])
    func `A response requested as a whole is delivered when complete, after merged progress updates`(counts: Bool)
        throws
    {
        var trial = try Trial(.whole, counts: counts)
        func news() -> [String] {
            var all: [String] = []
            while let step = trial.exchange.next() {
                switch step {
                case .update(.progress(.sent(let bytes, _)), _): all.append("sent \(bytes)")
                case .update(.progress(.received(let bytes, _)), _): all.append("received \(bytes)")
                case .update(.head(let head), _): all.append("head \(head.statusCode)")
                case .update(.whole(let head, let data), _): all.append("whole \(head.statusCode) \(data.count)")
                case .end: all.append("end")
                case .act, .ask, .event: all.append("?")
                }
            }
            return all
        }
        #expect(trial.exchange.take(.sent(bytes: 1, expected: 2)).delivers == counts)
        #expect(!trial.exchange.take(.sent(bytes: 2, expected: 2)).delivers)
        #expect(trial.exchange.take(trial.head(200, [:])).delivers == !counts)
        #expect(news() == (counts ? ["sent 2"] : []) + ["head 200"])
        #expect(trial.exchange.take(.body(Data(count: 3))).delivers == counts)
        #expect(!trial.exchange.take(.body(Data(count: 4))).delivers)
        #expect(trial.exchange.finish().delivers == !counts)
        #expect(news() == (counts ? ["received 7"] : []) + ["whole 200 7", "end"])
        #expect(news() == [])
    }
}
