import APIBaseKit
import Foundation
import Synchronization
import Testing

@testable import LoopbackServer

/// Calls of a server of which a few answers are slow, with a second copy and without.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HedgeTests {
    /// The hedges that are compared with none.
    enum Kind: String, CaseIterable { case fixed, percentile }

    @Test(arguments: Kind.allCases)
    func `Slow answers are not waited for, with few more requests`(_ kind: Kind) async throws {
        let server = try SlowServer()
        let count = 1_000
        let plain = try await times(of: count, at: server, nil)
        let before = server.count
        let hedge: Hedge = kind == .fixed ? .after(.milliseconds(60)) : .after(percentile: 95)
        let hedged = try await times(of: count, at: server, hedge)
        let share = Double(server.count - before) / Double(count) - 1
        let (slow, fast) = (plain[count * 99 / 100], hedged[count * 99 / 100])
        print("\(kind): the 99th percentile is \(fast) in place of \(slow), with \(100 * share) % more requests")
        #expect(fast <= slow * 0.2)
        #expect(share <= 0.05)
    }

    @Test func `While nothing is answered, at most three calls have a copy, and none after a failure`() async throws {
        let server = try SlowServer()
        // The pace is known, and copies may be sent.
        _ = try await times(of: 200, at: server, .after(percentile: 95))
        server.answers.withLock { $0 = false }
        let before = server.count
        // No call has an answer in its time.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { _ = try? await call(server, .after(percentile: 95)).value() } }
        }
        let more = server.count - before - 16
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { _ = try? await call(server, .after(percentile: 95)).value() } }
        }
        let later = server.count - before - more - 32
        server.answers.withLock { $0 = true }
        print("32 calls without an answer: \(more) copies, and \(later) after the first failures")
        #expect(more <= 3 && later == 0)
    }

    private func call(_ server: SlowServer, _ hedge: Hedge?) -> SlowCall {
        let call = SlowCall(.get("/"))
        call.baseURL = server.url
        call.hedge = hedge
        call.timeout = .seconds(2)
        return call
    }

    /// The times of so many calls, of which 16 run at a time, in their order.
    private func times(of count: Int, at server: SlowServer, _ hedge: Hedge?) async throws -> [Duration] {
        try await withThrowingTaskGroup(of: Duration.self) { group in
            var times: [Duration] = []
            for number in 0..<count {
                if number >= 16, let time = try await group.next() { times.append(time) }
                group.addTask {
                    let begin = ContinuousClock.now
                    _ = try await call(server, hedge).value()
                    return .now - begin
                }
            }
            for try await time in group { times.append(time) }
            return times.sorted()
        }
    }
}

/// A server of which one of fifty answers takes a second, and the others 5 ms.
private final class SlowServer: Sendable {
    let answers = Mutex(true)
    private let requests = Mutex(0)
    private let server = Mutex<HTTPServer?>(nil)

    init() throws {
        let new = try HTTPServer { [weak self] _ in
            let number = self?.next() ?? 0
            while self?.answers.withLock({ $0 }) == false { Thread.sleep(forTimeInterval: 0.05) }
            Thread.sleep(forTimeInterval: number.isMultiple(of: 50) ? 1 : 0.005)
            return .json(Data(#""done""#.utf8))
        }
        server.withLock { $0 = new }
    }

    var url: URL? { server.withLock { $0?.url } }
    var count: Int { requests.withLock { $0 } }

    private func next() -> Int {
        requests.withLock { count in
            count += 1
            return count
        }
    }
}

private final class SlowCall: JSONAPI, APIRequest {
    typealias ModelType = String
}
