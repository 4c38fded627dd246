import Dispatch
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange as one task of a `URLSession`.
///
/// The task's callbacks arrive one after another on the session's delegate queue and are only passed on.
final class URLSessionExchange: EngineExchange {
    private struct State {
        var sink: (any ExchangeSink)?
        var task: URLSessionTask?
        var payload: URLSessionPayload?
        var isCancelled = false
        var taskIsCancelled = false
        var hasHead = false
        /// What the end is to be called, whatever Foundation will call it.
        var verdict: Verdict?
    }

    private enum Verdict {
        /// The response that has arrived is complete.
        case complete
        case failure(TransportError.Reason)
    }

    private let request: ExchangeRequest
    private let engine: URLSessionEngine
    private let origin: Origin
    private let state = Locked(State())

    init(_ request: ExchangeRequest, on engine: URLSessionEngine) {
        self.request = request
        self.engine = engine
        origin = request.urlRequest.url?.origin ?? Origin(scheme: "", host: "", port: 0)
    }

    var canPause: Bool { URLSessionEngine.canPause }
    var seesConnection: Bool { false }

    func start(_ sink: any ExchangeSink) {
        if let problem = engine.refusal(of: request) {
            return sink.finished(EngineFailure(reason: .invalidRequest(problem)))
        }
        let isWanted = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.sink = sink
            return true
        }
        if isWanted { engine.limiter.enter(self, to: origin) }
    }

    func setPaused(_ paused: Bool) {
        engine.commands.async { [self] in
            guard let task = state.withLock({ $0.task }) else { return }
            paused ? task.suspend() : task.resume()
        }
    }

    func cancel() {
        let sink = state.withLock { state in
            state.isCancelled = true
            defer { state.sink = nil }
            return state.sink
        }
        guard sink != nil else { return }
        engine.limiter.forget(self, to: origin)
        cancelTask()
    }

    /// Not on the caller's thread, which may be one of Foundation's.
    private func cancelTask() {
        engine.commands.async { [self] in
            let task = state.withLock { state in
                state.taskIsCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    /// Answers Foundation, unless the task has been cancelled meanwhile.
    ///
    /// On Linux the answer to a question about a redirect ends the process if the task no longer waits for it. On the
    /// queue that cancels tasks, one of the two comes first.
    func answer(_ answer: @escaping @Sendable () -> Void) {
        engine.commands.async { [self] in
            if !state.withLock({ $0.taskIsCancelled }) { answer() }
        }
    }
}

// MARK: The turn

extension URLSessionExchange {
    /// It is the exchange's turn; false if it is not wanted any more. A turn that was taken is given back by ``leave()``.
    func begin() -> Bool {
        guard let sink = state.withLock({ $0.sink }) else { return false }
        sink.began()
        if request.body.isStream {
            DispatchQueue(label: "HTTPTransport.body").async { self.prepare() }
        } else {
            engine.commands.async { self.prepare() }
        }
        return true
    }

    /// Gets the body ready. A stream is read here, on a queue of its own, because it may block.
    private func prepare() {
        do throws(EngineFailure) {
            let payload = try URLSessionPayload(request.body) { self.state.withLock { $0.isCancelled } }
            state.withLock { $0.payload = payload }
            engine.commands.async { self.run(payload) }
        } catch {
            giveUp(error)
        }
    }

    private func run(_ payload: URLSessionPayload) {
        guard !state.withLock({ $0.isCancelled }) else { return leave() }
        let wire = request.wireRequest(payload, adding: engine.additionalHeaders)
        guard let task = engine.startTask(for: self, wire, file: payload.file) else {
            return giveUp(EngineFailure(reason: .sessionClosed))
        }
        state.withLock { $0.task = task }
    }

    private func giveUp(_ failure: EngineFailure) {
        leave()
        takeSink()?.finished(failure)
    }

    private func leave() {
        let payload = state.withLock { state in
            defer {
                state.payload = nil
                state.task = nil
            }
            return state.payload
        }
        payload?.remove()
        engine.limiter.leave(origin)
    }

    private func takeSink() -> (any ExchangeSink)? {
        state.withLock { state in
            defer { state.sink = nil }
            return state.sink
        }
    }
}

// MARK: What the task reports

extension URLSessionExchange {
    func sent(_ bytes: Int64, expected: Int64) {
        state.withLock { $0.sink }?.sent(bytes, expected: expected > 0 ? expected : request.body.count)
    }

    func received(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse, let url = request.urlRequest.url else {
            return end(.malformedResponse)
        }
        let sink = state.withLock { state in
            state.hasHead = true
            return state.sink
        }
        sink?.received(ResponseHead(response, url: url))
    }

    func received(_ data: Data) {
        state.withLock { $0.sink }?.received(data)
    }

    /// Foundation is about to send the request again on a fresh connection, with a body it has used up: what would
    /// arrive is an empty one under the old length. Whether to repeat the request is for those above to decide.
    func mustNotRewind() {
        end(.connectionLost)
    }

    /// A challenge that nobody answers, after the response that brought it: the response is the answer.
    ///
    /// - Returns: Whether the task should be ended rather than go on with Foundation's own handling.
    func takesResponseAsAnswer() -> Bool {
        state.withLock { state in
            guard state.hasHead else { return false }
            state.verdict = state.verdict ?? .complete
            return true
        }
    }

    /// - Parameters:
    ///   - error: Why Foundation gave up, if it did.
    ///   - response: The task's response. Foundation on Linux tells its delegate nothing of a redirect without a target.
    func completed(_ error: (any Error)?, response: URLResponse?) {
        if error == nil, let response, !state.withLock({ $0.hasHead }) { received(response) }
        leave()
        let (sink, verdict, hasHead) = state.withLock { state in
            defer { state.sink = nil }
            return (state.sink, state.verdict, state.hasHead)
        }
        switch verdict {
        case .complete: sink?.finished(nil)
        case .failure(let reason): sink?.finished(EngineFailure(reason: reason, underlying: error?.withoutURLs))
        case nil where error == nil && !hasHead: sink?.finished(EngineFailure(reason: .malformedResponse))
        case nil: sink?.finished(error.map { EngineFailure($0, hasHead: hasHead, limits: request.limits) })
        }
    }

    private func end(_ reason: TransportError.Reason) {
        state.withLock { $0.verdict = $0.verdict ?? .failure(reason) }
        cancelTask()
    }
}
