import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeStateTests {
    // MARK: Bodies

    @Test func theBodyHasALimitThatCountsAllPieces() throws {
        var trial = try Trial(limits: Self.small)
        #expect(trial.take(200) == "respond")
        #expect(trial.take(.body(Data(count: 6))) == "pass")
        #expect(trial.take(.body(Data(count: 4))) == "pass")
        let tooMuch = TransportError.Reason.tooLarge(.responseBytes, limit: 10)
        #expect(trial.take(.body(Data(count: 1))) == "stop body \(tooMuch)")
    }

    /// The bodies of redirects do not count, and each hop begins anew.
    @Test func theBodyOfARedirectIsReadAndDroppedUpToALimit() throws {
        var trial = try Trial(limits: Self.small)
        for number in 0..<3 {
            #expect(trial.take(trial.head(302, ["Location": "/\(number)"]), from: number) == "drain")
            #expect(trial.take(.sent(bytes: 1, expected: nil), from: number) == "nothing")
            #expect(trial.take(.body(Data(count: 65_535)), from: number) == "nothing")
            #expect(trial.take(.body(Data(count: 1)), from: number) == "nothing")
            #expect(trial.take(.body(Data(count: 1)), from: number).hasPrefix("leave"))
            #expect(trial.state.follow()?.1 == number + 1)
            // The hop that was left is not heard any more.
            #expect(trial.take(.body(Data(count: 1)), from: number) == "nothing")
            #expect(trial.state.endsRedirect(by: .finished, from: number) == nil)
        }
        #expect(trial.take(trial.head(200, [:]), from: 3) == "respond")
        #expect(trial.take(.body(Data(count: 10)), from: 3) == "pass")
    }

    // MARK: Hop after hop

    @Test(arguments: [1, 2, 10]) func oneRedirectMoreThanAllowedFails(limit: Int) throws {
        var trial = try Trial(limits: .with { $0.redirects = limit })
        for number in 0..<limit {
            #expect(trial.take(trial.head(302, ["Location": "/\(number)"]), from: number) == "drain")
            let hop = trial.state.follow()
            let request = try #require(hop?.0)
            #expect(hop?.1 == number + 1)
            #expect(request.urlRequest.url?.absoluteString == "https://h/\(number)")
            #expect(trial.state.url == request.urlRequest.url)
        }
        #expect(
            trial.take(trial.head(302, ["Location": "/x"]), from: limit)
                .hasPrefix("stop redirect \(TransportError.Reason.tooManyRedirects(limit: limit))")
        )
        #expect(trial.state.follow() == nil)
    }

    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: TransportError.Reason?
        var isRedirect = true
        let isDrained: Bool
    }

    /// A redirect whose body breaks off is followed all the same; time that is over stays over.
    @Test(arguments: [
        End(testDescription: "a redirect, whole", failure: nil, isDrained: true),
        End(testDescription: "a redirect, broken off", failure: .connectionLost, isDrained: true),
        End(testDescription: "a redirect, badly coded", failure: .malformedResponse, isDrained: true),
        End(
            testDescription: "a redirect, out of time",
            failure: .timedOut(which: .total, after: .seconds(1)),
            isDrained: false
        ),
        End(testDescription: "a response, whole", failure: nil, isRedirect: false, isDrained: false),
        End(testDescription: "a response, broken off", failure: .connectionLost, isRedirect: false, isDrained: false),
    ])
    func theEndOfARedirectLeadsOn(_ test: End) throws {
        var trial = try Trial()
        _ = trial.take(test.isRedirect ? 302 : 200, ["Location": "/b"])
        let completion: Subscribers.Completion<TransportError> =
            test.failure.map { .failure(TransportError(phase: .body, reason: $0, url: nil)) } ?? .finished
        #expect(trial.state.endsRedirect(by: completion, from: 0) == test.isDrained)
        #expect(trial.state.endsRedirect(by: completion, from: 1) == nil)
        #expect((trial.state.follow() != nil) == test.isRedirect)
        #expect(trial.state.follow() == nil)
    }

    // MARK: The end

    @Test func closingLeavesTheSubscriberOnce() throws {
        var trial = try Trial()
        #expect(trial.take(302, ["Location": "/b"]) == "drain")
        let remains = trial.state.close()
        #expect(remains.downstream != nil)
        #expect(trial.isHop(remains.subscription))
        #expect(trial.state.follow() == nil)
        #expect(trial.take(.body(Data(count: 100_000))) == "nothing")
        #expect(trial.state.endsRedirect(by: .finished, from: 0) == nil)
        let again = trial.state.close()
        #expect(again.downstream == nil)
        #expect(again.subscription == nil)
    }
}
