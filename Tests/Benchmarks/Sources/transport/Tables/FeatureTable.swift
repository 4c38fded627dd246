import APIBaseKit
import Foundation
import Harness
import HTTPTransport
import PortableCombine

/// The time and the allocations that each feature adds to a call when it is switched on and has nothing to do.
///
/// The calls go to a session that answers at once, so that the network hides nothing. Each line is measured in turns with
/// a call without features.
struct FeatureTable {
    private static let calls = 100

    func run() {
        let gate = CallGate(concurrent: 8, perSecond: 1e9, opensAfter: 5)
        let tokens = TokenSource { _ in Token("token") }
        let cache = ResponseCache()
        let account = APIAccount(baseURL: URL(string: "http://127.0.0.1"), authorization: .bearer("token"))
        let plain = line("a call without them") { _ in }
        let lines = [
            line("`retry`") { $0.retry = .standard },
            line("`retry` with a deadline") { $0.retry = RetryPolicy(deadline: .seconds(60)) },
            line("a deadline alone") { $0.retry = RetryPolicy(attempts: 1, deadline: .seconds(60)) },
            line("`gate` that lets all pass") { $0.gate = gate },
            line("`authorization` with a fixed token") { $0.authorization = .bearer("token") },
            line("`authorization` with a `TokenSource`") { $0.authorization = .tokens(tokens) },
            line("`on(_:)` with an account of a URL and a token") { $0.on(account) },
            line("`sharing`, with no equal call") { $0.sharing = .safeMethods },
            line("`report(_:)` overridden", of: ReportedRequest.init) { _ in },
            line("`CallLog`, one line for a call", of: LoggedRequest.init) { _ in },
            line("a subscriber of `$downloadProgress`", of: WatchedRequest.init) { _ in },
            line("`cache` that may not answer (`no-store`)") { call in
                call.cache = cache
                call.headers["Cache-Control"] = "no-store"
            },
            line("`cache` that answers, in place of the session") { $0.cache = cache },
        ]
        print("| feature | µs more (quartiles) | allocations more |")
        print("|---|---:|---:|")
        for line in lines {
            let duel = Duel(line, against: plain)
            guard let theirs = duel.theirs else { continue }
            let more = [duel.ours.median, duel.ours.lower, duel.ours.upper].map { ours in
                signed((ours - theirs.median) / Double(Self.calls) / 1_000)
            }
            var allocations = "–"
            if let ours = duel.ourAllocations, let theirs = duel.theirAllocations {
                allocations = signed(Double(ours - theirs) / Double(Self.calls))
            }
            print("| \(line.name) | **\(more[0])** (\(more[1]) to \(more[2])) | \(allocations) |")
        }
    }

    private func line<Call: FeatureRequest>(
        _ name: String,
        of make: @escaping () -> Call = FeatureRequest.init,
        _ change: @escaping (FeatureRequest) -> Void
    ) -> Line {
        Line(name, elements: Self.calls) {
            for _ in 0..<Self.calls {
                let request = make()
                change(request)
                blackHole(request.start().sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
            }
        }
    }

    private func signed(_ value: Double) -> String { (value < 0 ? "−" : "") + fixed(abs(value), digits: 1) }
}

/// A call whose value is the body, by a session that answers at once.
private class FeatureRequest: JSONAPI, Request {
    private static let base = URL(string: "http://127.0.0.1")
    private static let instant = InstantSession(["Cache-Control": "max-age=3600"])

    override init() {
        super.init()
        baseURL = Self.base
        path = "/users"
        session = Self.instant
    }

    func start() -> AnyPublisher<Data, any Error> { sendRequest().map(\.data).eraseToAnyPublisher() }
}

private final class ReportedRequest: FeatureRequest {
    override func report(_ event: CallEvent) { blackHole(event) }
}

private final class LoggedRequest: FeatureRequest {
    private static let log = CallLog { blackHole($0) }

    override func report(_ event: CallEvent) { Self.log.report(event) }
}

private final class WatchedRequest: FeatureRequest {
    private var subscription: AnyCancellable?

    override init() {
        super.init()
        subscription = $downloadProgress.sink { blackHole($0) }
    }
}
