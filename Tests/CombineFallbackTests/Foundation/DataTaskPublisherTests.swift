import Foundation
import Basics
import PortableCombine
import TestTiers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.tags(.concurrent), .limited) struct DataTaskPublisherTests {
    private let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieAcceptPolicy = .never
        return URLSession(configuration: configuration)
    }()

    @Test func `A data task publisher delivers data and response even if the status is 404`() async throws {
        let server = try LoopbackServer(status: "404 Not Found", body: "nothing")
        var iterator = session.dataTaskPublisher(for: server.url).values.makeAsyncIterator()
        let answer = try #require(try await iterator.next())
        #expect(String(decoding: answer.data, as: UTF8.self) == "nothing")
        #expect((answer.response as? HTTPURLResponse)?.statusCode == 404)
        #expect(try await iterator.next() == nil)
    }

    @Test func `A data task publisher sends one request per subscriber and waits for demand`() async throws {
        let server = try LoopbackServer(status: "200 OK", body: "x")
        let publisher = session.dataTaskPublisher(for: URLRequest(url: server.url))
        let idle = TrackingSubscriber<URLSession.DataTaskPublisher.Output, URLError>(initial: .none)
        publisher.subscribe(idle)
        for _ in 0..<2 {
            var iterator = publisher.values.makeAsyncIterator()
            _ = try await iterator.next()
        }
        #expect(server.accepted == 2)
        #expect(idle.events.count == 1)
        idle.cancel()
    }

    @Test func `A data task publisher fails with URLError when the connection is refused`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        var iterator = session.dataTaskPublisher(for: url).values.makeAsyncIterator()
        await #expect(throws: URLError.self) { try await iterator.next() }
    }

    @Test func `Canceling while a data task publisher delivers its value prevents the completion`() async throws {
        let server = try LoopbackServer(status: "200 OK", body: "x")
        let (settled, settle) = AsyncStream.makeStream(of: Void.self)
        let subscription = Locked<(any Subscription)?>(nil)
        let queue = session.delegateQueue
        let tracker = TrackingSubscriber<URLSession.DataTaskPublisher.Output, URLError>(
            onSubscription: { upstream in
                subscription.withLockUnchecked { $0 = upstream }
                upstream.request(.unlimited)
            },
            onValue: { _ in
                subscription.withLock { $0 }?.cancel()
                // Answers are delivered on this queue, one after another: this comes after whatever would follow.
                queue.addOperation { settle.finish() }
                return .none
            },
            onEnd: { settle.finish() }
        )
        session.dataTaskPublisher(for: server.url).subscribe(tracker)
        for await _ in settled {}
        #expect(tracker.values.count == 1)
        #expect(tracker.endings == 0)
    }

    /// The thread of a server that is gone would otherwise accept the connections of the next one with its number.
    @Test func `A server that is released while it has a connection takes none of the next server`() async throws {
        var first: LoopbackServer? = try LoopbackServer(status: nil, body: "")
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        first?.onAccept.withLock { $0 = { arrive.yield() } }
        let idle = TrackingSubscriber<URLSession.DataTaskPublisher.Output, URLError>(initial: .unlimited)
        let url = try #require(first?.url)
        session.dataTaskPublisher(for: url).subscribe(idle)
        for await _ in arrived { break }
        first = nil
        let servers = try (1...8).map { _ in try LoopbackServer(status: "200 OK", body: "x") }
        idle.cancel()
        for server in servers {
            for _ in 1...3 {
                var iterator = session.dataTaskPublisher(for: server.url).values.makeAsyncIterator()
                #expect(try await iterator.next()?.data == Data("x".utf8))
            }
        }
    }

    @Test func `Canceling a data task publisher closes the connection and delivers nothing`() async throws {
        let server = try LoopbackServer(status: nil, body: "")
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        server.onAccept.withLock { $0 = { arrive.yield() } }
        let tracker = TrackingSubscriber<URLSession.DataTaskPublisher.Output, URLError>(initial: .unlimited)
        session.dataTaskPublisher(for: server.url).subscribe(tracker)
        for await _ in arrived { break }
        tracker.cancel()
        tracker.cancel()
        tracker.request(.max(1))
        // The client hangs up; only then is there nothing left that could deliver.
        #expect(server.waitForHangUp(seconds: 60))
        #expect(tracker.events.count == 1)
    }
}
