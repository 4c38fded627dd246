import Dispatch
import Foundation
import Basics

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One hop (one request on the wire; a redirect starts the next) as one task of a `URLSession`.
///
/// The task's callbacks arrive one after another on the session's delegate queue, and are passed on.
final class URLSessionEngineTask: EngineTask {
    private struct State {
        var request: ExchangeRequest?
        var observer: (any EngineTaskObserver)?
        var grant: URLSessionEngine.Limiter.Grant?
        var task: URLSessionTask?
        var payload: BodyPayload?
        var isCancelled = false
        var taskIsCancelled = false
        var hasHead = false
        var times: EngineTimes?
        /// The outcome that replaces Foundation's; nil to use Foundation's.
        var outcome: Outcome?
    }

    private enum Outcome {
        /// The response is complete.
        case complete
        case failure(TransportError.Reason)
    }

    private let engine: URLSessionEngine
    private let state = Locked(State())
    private let reading = BodyReading()

    init(on engine: URLSessionEngine) {
        self.engine = engine
    }

    var canPause: Bool { URLSessionEngine.canPause }
    var reportsConnection: Bool { false }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        if let problem = engine.refusal(of: request) {
            return observer.finished(EngineFailure(reason: .invalidRequest(problem)))
        }
        guard request.upgrade == nil || URLSessionEngine.opensSockets else {
            return observer.finished(EngineFailure(reason: .engine, underlying: SocketsUnsupported()))
        }
        let isWanted = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.request = request
            state.observer = observer
            return true
        }
        if isWanted { engine.enter(self, request) }
    }

    func setPaused(_ paused: Bool) {
        engine.commands.async { [self] in
            guard let task = state.withLock({ $0.task }) else { return }
            paused ? task.suspend() : task.resume()
        }
    }

    func cancel() {
        let (observer, origin) = state.withLock { state in
            state.isCancelled = true
            return (state.observer.take(), state.request?.origin)
        }
        reading.cancel()
        guard observer != nil, let origin else { return }
        engine.cancelled(to: origin)
        cancelTask()
    }

    /// Cancels the task on the queue, since the caller's thread may be one of Foundation's. Without a task the hop
    /// leaves at once, since it may wait for a connection.
    private func cancelTask() {
        engine.commands.async { [self] in
            let task = state.withLock { state in
                state.taskIsCancelled = true
                return state.task
            }
            if let task { task.cancel() } else { leave() }
        }
    }

    /// Calls a completion handler of Foundation, unless the task has been canceled.
    ///
    /// On Linux the answer to a redirect ends the process if the task no longer waits for it. On the queue that cancels
    /// tasks, the two do not overlap.
    func answer(_ answer: @escaping @Sendable () -> Void) {
        engine.commands.async { [self] in
            if !state.withLock({ $0.taskIsCancelled }) { answer() }
        }
    }
}

// MARK: The turn

extension URLSessionEngineTask {
    /// The hop has its turn; false if it was canceled. ``leave()`` releases the turn.
    func begin(_ grant: URLSessionEngine.Limiter.Grant) -> Bool {
        let (request, observer, payload) = state.withLockUnchecked { state in
            if state.observer != nil { state.grant = grant }
            return (state.request, state.observer, state.payload)
        }
        guard let request, let observer else { return false }
        observer.began()
        if let payload {
            // It has waited for a connection.
            engine.commands.async { self.run(request, payload) }
            return true
        }
        // Reading a stream may block.
        let queue = request.body.isStream ? DispatchQueue(label: "HTTPTransport.body") : engine.commands
        queue.async { self.prepare(request) }
        return true
    }

    private func prepare(_ request: ExchangeRequest) {
        do throws(EngineFailure) {
            let payload = try BodyPayload(request.body, by: reading)
            let grant = state.withLockUnchecked { state in
                state.payload = payload
                return state.grant
            }
            guard let grant, !grant.hasConnection else {
                return engine.commands.async { self.run(request, payload) }
            }
            state.withLock { $0.observer }?.waits()
            if let grant = engine.claim(grant) { _ = begin(grant) }  // false: `cancelTask` leaves
        } catch {
            giveUp(error)
        }
    }

    private func run(_ request: ExchangeRequest, _ payload: BodyPayload) {
        guard !isCancelled else { return leave() }
        let wire = request.wireRequest(payload, adding: engine.additionalHeaders)
        guard let task = engine.startTask(for: self, wire, file: payload.file, upgrade: request.upgrade) else {
            return giveUp(EngineFailure(reason: .sessionClosed))
        }
        state.withLock { $0.task = task }
    }

    private func giveUp(_ failure: EngineFailure) {
        leave()
        state.withLock { $0.observer.take() }?.finished(failure)
    }

    private func leave() {
        let (payload, grant) = state.withLock { state in
            state.task = nil
            return (state.payload.take(), state.grant.take())
        }
        payload?.remove()
        if let grant { engine.leave(grant) }
    }
}

// MARK: Callbacks

extension URLSessionEngineTask {
    func sent(_ bytes: Int64, expected: Int64) {
        let (request, observer) = state.withLock { ($0.request, $0.observer) }
        observer?.sent(bytes, expected: expected > 0 ? expected : request?.body.count)
    }

    func received(_ response: URLResponse) {
        let (url, observer) = state.withLock { state in
            state.hasHead = true
            return (state.request?.urlRequest.url, state.observer)
        }
        guard let response = response as? HTTPURLResponse, let url else { return end(.malformedResponse) }
        observer?.received(ResponseHead(response, url: url))
    }

    func received(_ data: Data) {
        state.withLock { $0.observer }?.received(data)
    }

    /// A socket is open.
    func opened(_ task: URLSessionWebSocketTask, subprotocol: String?) {
        guard let upgrade = state.withLock({ $0.request?.upgrade }), let response = task.response else { return }
        upgrade.fulfill(with: URLSessionSocket(task, subprotocol: subprotocol))
        received(response)
    }

    /// A socket has been closed, which is no failure of its exchange.
    func closed() { state.withLock { $0.outcome = $0.outcome ?? .complete } }

    /// Foundation has measured the times of the hop.
    func measured(_ times: EngineTimes) {
        state.withLock { $0.times = times }
    }

    /// Foundation is about to send the request again on a new connection, with a body it has consumed: the server would
    /// get an empty one with the old length. The hop fails instead, and the caller may retry.
    func mustNotRewind() {
        end(.connectionLost)
    }

    /// The session's delegate does not trust the server, and Foundation ends the task.
    func refusedServer() { state.withLock { $0.outcome = $0.outcome ?? .failure(.tls) } }

    /// Ends the hop at a challenge without credentials, whose response becomes the response of the hop.
    ///
    /// - Returns: Whether to cancel the challenge; otherwise Foundation handles it.
    func takesResponseAsAnswer() -> Bool {
        state.withLock { state in
            guard state.hasHead else { return false }
            state.outcome = state.outcome ?? .complete
            return true
        }
    }

    /// - Parameters:
    ///   - error: Foundation's error; nil if the task succeeded.
    ///   - response: The task's response, which Foundation on Linux does not report for a redirect without a target.
    func completed(_ error: (any Error)?, response: URLResponse?) {
        // Foundation fails a refused handshake of a socket.
        let isRefused = state.withLock { $0.request?.upgrade != nil && !$0.hasHead && response != nil }
        if isRefused { state.withLock { $0.outcome = $0.outcome ?? .complete } }
        if error == nil || isRefused, let response, !state.withLock({ $0.hasHead }) { received(response) }
        leave()
        let last = state.withLock { state in
            defer { state.observer = nil }
            return state
        }
        let failure: EngineFailure? =
            switch last.outcome {
            case .complete: nil
            case .failure(let reason): EngineFailure(reason: reason, underlying: error?.withoutURLs)
            case nil where error == nil && !last.hasHead: EngineFailure(reason: .malformedResponse)
            case nil:
                error.map { EngineFailure($0, hasHead: last.hasHead, limits: last.request?.limits ?? .default) }
            }
        last.observer?.finished(failure, times: last.times)
    }

    private func end(_ reason: TransportError.Reason) {
        state.withLock { $0.outcome = $0.outcome ?? .failure(reason) }
        cancelTask()
    }
}

/// The reason why a socket cannot be opened.
private struct SocketsUnsupported: LocalizedError {
    var errorDescription: String? { "URLSession on Linux has no sockets that can be relied on: libcurl is needed." }
}
