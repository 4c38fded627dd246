import APIBaseKit
import Basics
import HostileServer
import Testing

@testable import APIBaseInspector

/// The calls of an inspector that has no server.
final class Feed: Sendable {
    let feed: CallFeed
    private let queue: EventQueue
    private let reported = Locked<[Int]>([])

    init() {
        feed = CallFeed()
        queue = EventQueue(into: feed, redacting: .default)
    }

    @Sendable func report(_ event: CallEvent) {
        reported.withLock { ids in if ids.last != event.call.id { ids.append(event.call.id) } }
        queue.add(event)
    }

    /// The IDs of all calls, if they were made one after the other.
    var ids: [Int] { reported.withLock { $0 } }

    /// What a new page gets now, in the order of the calls.
    var calls: [InspectedCall] {
        let reader = feed.open(after: 0)
        defer { feed.close(reader) }
        let calls = feed.next(for: reader, within: .nanoseconds(0))?.calls ?? []
        return calls.map(\.tracker.call).sorted { $0.id < $1.id }
    }

    /// Waits until the last call is over: events are worked on in another thread.
    func waitForTheLast() async throws {
        let last = try #require(ids.last)
        #expect(try await holds { self.calls.contains { $0.id == last && $0.state != .running } })
    }
}
