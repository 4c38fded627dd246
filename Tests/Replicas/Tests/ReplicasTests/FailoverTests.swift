import APIBaseKit
import Foundation
import Synchronization
import Testing

@testable import LoopbackServer

/// Calls of an API with two addresses, at a steady rate, while the first dies and returns.
@Suite(.timeLimit(.minutes(2))) struct FailoverTests {
    @Test func `Two hundred calls a second go on at the other address, and return after the rest`() async throws {
        let (first, second, outcomes) = (Arrivals(), Arrivals(), Outcomes())
        let server = try HTTPServer { first.answer($0) }
        let other = try HTTPServer { second.answer($0) }
        defer { other.stop(waitingAtMost: .zero) }
        TwoServersAPI.urls.withLock { $0 = [server.url, other.url] }
        let begin = ContinuousClock.now
        async let end = death(of: server, from: begin, first)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_200 {
                try? await Task.sleep(until: begin + .milliseconds(5 * number))
                group.addTask { await outcomes.call(number) }
            }
        }
        let (death, all) = (try await end, outcomes.all)
        let (reads, posts) = (all.filter(\.isRead), all.filter { !$0.isRead })
        let (failed, lost) = (reads.count { !$0.isDone }, posts.count { !$0.isDone })
        let sent = first.counts.merging(second.counts, uniquingKeysWith: +)
        let back = try #require(first.times.first { $0 > death }) - death
        let isOnce = posts.allSatisfy { sent[$0.path, default: 0] == 1 || (!$0.isDone && sent[$0.path] == nil) }
        print("1,200 calls: \(failed) reads and \(lost) posts failed; the first address was back after \(back)")
        #expect(all.count == 1_200)
        #expect(failed == 0 && lost <= 20 && isOnce)
        #expect(back >= .seconds(2) && back < .seconds(3))
    }

    /// Ends a server after 1.5 s, and starts it again a second later. Returns when it has ended.
    private func death(
        of server: HTTPServer,
        from begin: ContinuousClock.Instant,
        _ arrivals: Arrivals
    ) async throws -> ContinuousClock.Instant {
        try await Task.sleep(until: begin + .seconds(1.5))
        server.stop(waitingAtMost: .zero)
        let death = ContinuousClock.now
        try await Task.sleep(until: begin + .seconds(2.5))
        let again = try HTTPServer(port: server.port) { arrivals.answer($0) }
        try await Task.sleep(until: begin + .seconds(6.5))
        again.stop(waitingAtMost: .zero)
        return death
    }
}

/// How the calls have ended.
private final class Outcomes: Sendable {
    typealias Outcome = (path: String, isRead: Bool, isDone: Bool)

    private let mutex = Mutex<[Outcome]>([])

    var all: [Outcome] { mutex.withLock { $0 } }

    /// Makes a call: every other one is a `POST`.
    func call(_ number: Int) async {
        let isRead = number.isMultiple(of: 2)
        let call = WorkCall(isRead ? .get("/\(segment: number)") : .post("/\(segment: number)"))
        let isDone = (try? await call.value()) != nil
        mutex.withLock { $0.append(("/\(number)", isRead, isDone)) }
    }
}

/// The requests that a server has got.
private final class Arrivals: Sendable {
    private let mutex = Mutex<[(path: String, time: ContinuousClock.Instant)]>([])

    /// Notes a request, and answers it after 20 ms.
    func answer(_ request: ServerRequest) -> ServerResponse {
        mutex.withLock { $0.append((request.path, .now)) }
        Thread.sleep(forTimeInterval: 0.02)
        return .json(Data(#""done""#.utf8))
    }

    var times: [ContinuousClock.Instant] { mutex.withLock { $0.map(\.time) } }
    var counts: [String: Int] { mutex.withLock { $0.reduce(into: [:]) { $0[$1.path, default: 0] += 1 } } }
}

private class TwoServersAPI: JSONAPI {
    static let urls = Mutex<[URL]>([])

    override class var baseURLs: [URL] { urls.withLock { $0 } }

    override func configure() {
        super.configure()
        failover = Failover(restsFor: .seconds(2))
    }
}

private final class WorkCall: TwoServersAPI, APIRequest {
    typealias ModelType = String
}
