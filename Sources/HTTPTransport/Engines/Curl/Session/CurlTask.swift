#if os(Linux) || os(Android)
import Basics
import CCurl
import Foundation
import FoundationNetworking

/// One hop (one request on the wire; a redirect starts the next) by libcurl, outside the event loops.
final class CurlTask: EngineTask {
    private struct State {
        var request: CurlRequest?
        var observer: (any EngineTaskObserver)?
        var isCancelled = false
        var isPaused = false
        var loop: EventLoop?
    }

    private let group: EventLoopGroup
    private let state = Locked(State())

    init(in group: EventLoopGroup) {
        self.group = group
    }

    let canPause = true

    var reach: Reach { group.configuration.reach }

    var reportsConnection: Bool { ccurl_has_prereq() }

    func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        if let failure = refusal(of: request) { return observer.finished(failure) }
        let wire = CurlRequest(request)
        let isWanted = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.observer = observer
            state.request = wire
            return true
        }
        if isWanted, !group.enter(self, wire, of: observer) {
            takeObserver()?.finished(EngineFailure(reason: .sessionClosed))
        }
    }

    func setPaused(_ paused: Bool) {
        state.withLock { $0.isPaused = paused }
        if !paused { resume() }
    }

    func cancel() {
        let (observer, loop, origin) = state.withLock { state in
            state.isCancelled = true
            return (state.observer.take(), state.loop, state.request?.origin)
        }
        guard observer != nil, group.isInItsProcess else { return }
        if let loop { loop.submit(.cancel(self)) } else if let origin { group.cancelled(self, to: origin) }
    }

    func deliver(_ delivery: any DeliveryJob) {
        group.deliver(delivery, on: state.withLock { $0.loop })
    }

    private func refusal(of request: ExchangeRequest) -> EngineFailure? {
        if let reason = CurlSession.unavailableReason {
            return EngineFailure(reason: .engine, underlying: CurlSession.LibraryError(code: 0, message: reason))
        }
        if let problem = group.problem { return problem.failure }
        // A literal is also refused here, because with a proxy its address is not dialed.
        if reach != .anywhere, !reach.allows(host: request.origin.host) {
            return EngineFailure(reason: .addressNotAllowed)
        }
        if case .file(let url) = request.body.content, !url.isReadableFile {
            return EngineFailure(reason: .invalidRequest(.init(.body, .unreadableFile)))
        }
        return nil
    }
}

// MARK: For the event loop

extension CurlTask {
    /// The hop has its turn. Returns the request and its observer; nil if the hop was canceled.
    func begin(on loop: EventLoop) -> (CurlRequest, any EngineTaskObserver)? {
        state.withLock { state in
            guard let request = state.request, let observer = state.observer else { return nil }
            state.loop = loop
            return (request, observer)
        }
    }

    /// Has the loop continue the hop: there is room for what has arrived, or something to send.
    func resume() {
        guard group.isInItsProcess else { return }
        state.withLock { $0.loop }?.submit(.resume(self))
    }

    var isPaused: Bool { state.withLock { $0.isPaused } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Removes the observer for its last call; nil if the hop was canceled.
    func takeObserver() -> (any EngineTaskObserver)? {
        state.withLock { $0.observer.take() }
    }
}
#endif
