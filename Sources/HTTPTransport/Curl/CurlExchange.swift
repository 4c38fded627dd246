#if os(Linux) || os(Android)
import CCurl
import Foundation
import FoundationNetworking
import Locking

/// One exchange, as those above libcurl's thread see it.
final class CurlExchange: EngineExchange {
    private struct State {
        var sink: (any ExchangeSink)?
        var isCancelled = false
        var isPaused = false
    }

    let request: ExchangeRequest
    let wire: CurlRequest
    let origin: Origin
    private let engine: CurlEngine
    private let state = Locked(State())

    init(_ request: ExchangeRequest, on engine: CurlEngine) {
        self.request = request
        self.engine = engine
        origin = request.checkedURL?.origin ?? Origin(scheme: "", host: "", port: 0)
        wire = CurlRequest(request, to: origin)
    }

    var configuration: CurlSession.Configuration { engine.configuration }

    var canPause: Bool { true }

    /// libcurl tells since 7.80.
    var seesConnection: Bool { ccurl_version() >= 0x075000 }

    func start(_ sink: any ExchangeSink) {
        if let failure = refusal { return sink.finished(failure) }
        let isWanted = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.sink = sink
            return true
        }
        if isWanted, !engine.submit(.start(self)) {
            takeSink()?.finished(EngineFailure(reason: .sessionClosed))
        }
    }

    func setPaused(_ paused: Bool) {
        state.withLock { $0.isPaused = paused }
        if !paused { resume() }
    }

    func cancel() {
        let sink = state.withLock { state in
            state.isCancelled = true
            defer { state.sink = nil }
            return state.sink
        }
        if sink != nil { _ = engine.submit(.cancel(self)) }
    }

    /// Has the exchange looked at again.
    func resume() { _ = engine.submit(.resume(self)) }

    /// Whom to tell; nil if nobody wants to know any more.
    var sink: (any ExchangeSink)? { state.withLock { $0.sink } }

    var isPaused: Bool { state.withLock { $0.isPaused } }

    func takeSink() -> (any ExchangeSink)? {
        state.withLock { state in
            defer { state.sink = nil }
            return state.sink
        }
    }

    /// What is wrong before anything has been tried.
    private var refusal: EngineFailure? {
        if let reason = CurlSession.unavailableReason {
            return EngineFailure(reason: .engine, underlying: CurlError(code: 0, message: reason))
        }
        if let problem = engine.problem {
            return EngineFailure(
                reason: .invalidConfiguration(setting: problem.setting),
                underlying: CurlError(code: 0, message: problem.text)
            )
        }
        if case .file(let url) = request.body.content, !url.isReadableFile {
            return EngineFailure(reason: .invalidRequest(InvalidRequest(.body, .unreadableFile)))
        }
        return nil
    }
}
#endif
