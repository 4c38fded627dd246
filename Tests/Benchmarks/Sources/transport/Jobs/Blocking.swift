import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What one copy of this process does: many requests through one session, some of whose subscribers block.
///
/// The requests with blocking subscribers are sent beside the others, so that as many others run as without them.
struct Blocking: Sendable, Codable {
    /// What came of it; delays are the seconds from the subscription to the value of those that do not block.
    struct Finding: Sendable, Codable {
        let median: Double
        /// One request of a hundred took longer.
        let ninetyNinth: Double
        let largest: Double
        /// Requests among those that do not block that did not bring what they should.
        let failures: Int
        /// Threads of `HTTPTransport`, at the peak.
        let threads: Int
    }

    static let count = 10_000
    static let blockers = 50
    /// The requests with blocking subscribers are so far apart, from the first on: soon all of them block at a time.
    static let spacing = 40
    static let concurrency = 64

    let url: URL
    /// How long a subscriber blocks in `receive`; nil if none does.
    let seconds: Double?

    func run() async throws -> Finding {
        let session = CurlSession()
        _ = await lanes(on: session, count: Self.concurrency * 2, seconds: nil)
        let census = ThreadCensus(of: "HTTPTransport")
        let delays = await lanes(on: session, count: Self.count, seconds: seconds).sorted()
        let threads = await census.end()
        await session.shutdown()
        guard !delays.isEmpty else { throw NoDelays() }
        return Finding(
            median: delays[delays.count / 2],
            ninetyNinth: delays[(delays.count - 1) * 99 / 100],
            largest: delays[delays.count - 1],
            failures: Self.count - Self.blockers - delays.count,
            threads: threads
        )
    }

    private struct NoDelays: Error {}

    private func lanes(on session: CurlSession, count: Int, seconds: Double?) async -> [Double] {
        await withTaskGroup(of: [Double].self) { group in
            for first in 0..<Self.concurrency {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let lane = BlockingLane(session: session, url: url, count: count, seconds: seconds)
                        lane.send(first, after: []) { continuation.resume(returning: $0) }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }
}
