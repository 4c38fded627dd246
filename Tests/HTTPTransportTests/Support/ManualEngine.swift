import Foundation
import HTTPTransport
import Locking
import PortableCombine

/// An engine without a network, which can pause: the test says what happens, and sees what it is told.
final class ManualEngine: ExchangeEngine {
    private let made: Locked<[ManualExchange]> = Locked([])
    private let onStart: @Sendable (ManualExchange) -> Void

    init(onStart: @escaping @Sendable (ManualExchange) -> Void = { _ in }) {
        self.onStart = onStart
    }

    var exchanges: [ManualExchange] { made.withLock { $0 } }

    func exchange(_ request: ExchangeRequest) -> any EngineExchange {
        let exchange = ManualExchange(onStart)
        made.withLock { $0.append(exchange) }
        return exchange
    }
}

final class ManualExchange: EngineExchange {
    struct Log {
        var sink: (any ExchangeSink)?
        var calls: [String] = []
        var isInside = false
        var overlaps = 0
    }

    let log = Locked(Log())
    let canPause = true
    let seesConnection = true
    private let onStart: @Sendable (ManualExchange) -> Void

    init(_ onStart: @escaping @Sendable (ManualExchange) -> Void) {
        self.onStart = onStart
    }

    var sink: (any ExchangeSink)? { log.withLock { $0.sink } }
    var calls: [String] { log.withLock { $0.calls } }
    var isPaused: Bool { calls.last { $0 == "pause" || $0 == "resume" } == "pause" }

    func start(_ sink: any ExchangeSink) {
        log.withLock { log in
            log.sink = sink
            log.calls.append("start")
        }
        onStart(self)
    }

    func setPaused(_ paused: Bool) {
        log.withLock { log in
            if log.isInside { log.overlaps += 1 }
            log.isInside = true
            log.calls.append(paused ? "pause" : "resume")
        }
        log.withLock { $0.isInside = false }
    }

    func cancel() {
        log.withLock { log in
            log.calls.append("cancel")
            log.sink = nil
        }
    }

    /// Says that everything up to the head has happened.
    func answer(_ url: URL) {
        sink?.began()
        sink?.connected()
        sink?.received(ResponseHead(statusCode: 200, headers: [:], url: url))
    }
}

/// A session on a ``ManualEngine``.
final class ManualSession: HTTPSession {
    let engine: ManualEngine

    init(onStart: @escaping @Sendable (ManualExchange) -> Void = { _ in }) {
        engine = ManualEngine(onStart: onStart)
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        ExchangePublisher(session: self, engine: engine, request: request).eraseToAnyPublisher()
    }
}
