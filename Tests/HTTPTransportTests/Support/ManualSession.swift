import Basics
import Foundation
import HTTPTransport
import PortableCombine

/// An engine without a network, which can pause: the test says what happens, and sees what it is told.
final class ManualTask: EngineTask {
    struct Log {
        var observer: (any EngineTaskObserver)?
        var calls: [String] = []
        var isInside = false
        var overlaps = 0
        var deliveries = 0
    }

    let log = Locked(Log())
    let canPause = true
    let reportsConnection = true
    private let onStart: @Sendable (ManualTask) -> Void

    init(_ onStart: @escaping @Sendable (ManualTask) -> Void) {
        self.onStart = onStart
    }

    var observer: (any EngineTaskObserver)? { log.withLock { $0.observer } }
    var calls: [String] { log.withLock { $0.calls } }

    /// Deliveries that have been asked for and have not returned.
    var deliveries: Int { log.withLock { $0.deliveries } }

    var isPaused: Bool { calls.last { $0 == "pause" || $0 == "resume" } == "pause" }

    func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        log.withLock { log in
            log.observer = observer
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
            log.observer = nil
        }
    }

    func deliver(_ delivery: any DeliveryJob) {
        log.withLock { $0.deliveries += 1 }
        DispatchQueue(label: "ManualTask").async {
            delivery.run()
            self.log.withLock { $0.deliveries -= 1 }
        }
    }

    /// Says that everything up to the head has happened.
    func answer(_ url: URL) {
        observer?.began()
        observer?.connected()
        observer?.received(ResponseHead(statusCode: 200, headers: [:], url: url))
    }
}

/// A session whose hops are ``ManualTask``s.
final class ManualSession: EngineSession {
    private let made: Locked<[ManualTask]> = Locked([])
    private let onStart: @Sendable (ManualTask) -> Void

    init(onStart: @escaping @Sendable (ManualTask) -> Void = { _ in }) {
        self.onStart = onStart
    }

    /// The hops that have been started.
    var tasks: [ManualTask] { made.withLock { $0 } }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }

    func makeTask() -> any EngineTask {
        ManualTask { [made, onStart] task in
            made.withLock { $0.append(task) }
            onStart(task)
        }
    }
}
