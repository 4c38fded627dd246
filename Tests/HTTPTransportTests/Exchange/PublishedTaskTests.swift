import Basics
import Foundation
import HostileServer
import PortableCombine
import TestTiers
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Exchanges over sessions that are none of this module's.
@Suite(.tags(.concurrent), .limited) struct PublishedTaskTests {
    /// A session that publishes what a function makes of the request.
    private final class Session: HTTPSession {
        private let events: @Sendable (ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError>

        init(_ events: @escaping @Sendable (ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError>) {
            self.events = events
        }

        func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
            events(request)
        }
    }

    private static let url = URL(string: "https://h/0") ?? URL(fileURLWithPath: "/")

    private static func head(_ status: Int = 200, _ headers: HTTPHeaders = [:], _ url: URL = url)
        -> ExchangeRequest.Event
    {
        .head(ResponseHead(statusCode: status, headers: headers, url: url))
    }

    private static func publish(_ events: [ExchangeRequest.Event]) -> AnyPublisher<
        ExchangeRequest.Event, TransportError
    > {
        events.publisher.setFailureType(to: TransportError.self).eraseToAnyPublisher()
    }

    /// Each redirect is there as soon as it is asked for. A stack that grows with each would overflow, since it is small.
    @Test func `A custom session that publishes 1,000 redirects at once does not overflow the stack`() async {
        let count = 1_000
        let session = Session { request in
            let number = Int(request.urlRequest.url?.lastPathComponent ?? "") ?? 0
            guard number < count else { return Self.publish([Self.head(), .body(Data("end".utf8))]) }
            return Self.publish([Self.head(302, ["Location": "/\(number + 1)"])])
        }
        let request = ExchangeRequest(to: Self.url, limits: .with { $0.redirects = count })
        let log = EventLog()
        await withCheckedContinuation { continuation in
            let thread = Thread {
                session.events(for: request).subscribe(log)
                continuation.resume()
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(log.events.count == 2, "It is handed on where it is published.")
        #expect(log.data == Data("end".utf8))
        #expect(log.ends == 1)
    }

    @Test
    func `A custom session's publisher gets no more demand while too many events wait for the subscriber`() async throws
    {
        let published = Locked(0)
        let session = Session { _ in
            Self.publish([Self.head()] + (0..<20).map { _ in .body(Data(count: 100_000)) })
                .handleEvents(receiveOutput: { _ in published.withLock { $0 += 1 } })
                .eraseToAnyPublisher()
        }
        let log = EventLog(demand: .max(1))
        session.events(for: ExchangeRequest(to: Self.url)).subscribe(log)
        #expect(log.events.count == 1)
        #expect(published.withLock { $0 } == 4, "The head, and what is over the mark.")
        log.request(.unlimited)
        // Redirects are followed where the session is asked: not here.
        #expect(try await holds { log.ends == 1 })
        #expect(log.data.count == 2_000_000)
    }

    /// The hops of a session that hands them on to another belong to one exchange there as well.
    @Test func `Redirects through a session that wraps another share one exchange and its elapsed time`() async throws {
        let inner = ManualSession()
        let session = Session { inner.exchange($0) }
        let log = EventLog()
        session.events(for: ExchangeRequest(to: Self.url)).subscribe(log)
        let first = try #require(inner.tasks.first?.observer)
        #expect(first.elapsed == .zero)
        first.addElapsed(.seconds(5))
        first.began()
        first.received(ResponseHead(statusCode: 302, headers: ["Location": "/1"], url: Self.url))
        first.finished(nil)
        #expect(try await holds { inner.tasks.count == 2 })
        let second = try #require(inner.tasks.last?.observer)
        #expect(second.elapsed >= .seconds(5))
        log.cancel()
        #expect(inner.tasks.last?.calls == ["start", "cancel"])
    }

    @Test func `An error from a custom session is delivered unchanged`() async throws {
        let session = Session { _ in
            Fail(error: TransportError(phase: .send, reason: .tls, url: nil)).eraseToAnyPublisher()
        }
        let error = try await session.failure(of: ExchangeRequest(to: Self.url))
        #expect(error?.phase == .send)
        #expect(error?.reason == .tls)
        #expect(error?.url == nil)
    }

    @Test func `Canceling a request cancels the publisher of its custom session`() {
        let cancelled = Locked(0)
        let session = Session { _ in
            Empty<ExchangeRequest.Event, TransportError>(completeImmediately: false)
                .handleEvents(receiveCancel: { cancelled.withLock { $0 += 1 } })
                .eraseToAnyPublisher()
        }
        let log = EventLog()
        session.events(for: ExchangeRequest(to: Self.url)).subscribe(log)
        log.cancel()
        #expect(cancelled.withLock { $0 } == 1)
        #expect(log.ends == 0)
    }
}
