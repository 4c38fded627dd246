import Dispatch
import Foundation
import HTTPTransport
import Basics

/// One hop that is answered before it is asked: the body comes in pieces, which stop when they are told to. What is above
/// it does not know the difference.
final class ReplayExchange: EngineTask {
    /// What a server said.
    struct Reply {
        let head: ResponseHead
        let body: Data
    }

    private static let pieceBytes = 16 << 10

    fileprivate struct State {
        var observer: (any EngineTaskObserver)?
        var rest = Data()
        var isPaused = false
        var isFeeding = false
    }

    fileprivate enum Step {
        case piece(Data, any EngineTaskObserver)
        case end(any EngineTaskObserver)
    }

    let canPause = true
    let seesConnection = true
    private let answer: Result<Reply, EngineFailure>
    private let state = Locked(State())

    init(_ answer: Result<Reply, EngineFailure>) {
        self.answer = answer
    }

    func start(_ request: ExchangeRequest, telling observer: any EngineTaskObserver) {
        let sentBytes = request.body.count ?? 0
        observer.began()
        observer.connected()
        switch answer {
        case .failure(let failure): observer.finished(failure)
        case .success(let reply):
            state.withLock { state in
                state.observer = observer
                state.rest = reply.body
                state.isFeeding = true
            }
            if sentBytes > 0 { observer.sent(sentBytes, expected: sentBytes) }
            observer.received(reply.head)
            feed()
        }
    }

    func setPaused(_ paused: Bool) {
        let begins = state.withLock { state in
            state.isPaused = paused
            guard !paused, !state.isFeeding, state.observer != nil else { return false }
            state.isFeeding = true
            return true
        }
        // Not here: whoever calls is in the middle of handing out what came before.
        if begins { DispatchQueue(label: "APIBaseStubs.Replay").async { self.feed() } }
    }

    func cancel() {
        let dropped = state.withLock { state in
            defer { state.observer = nil }
            return state.observer
        }
        _ = dropped
    }

    private func feed() {
        while let step = state.withLock({ $0.next(upTo: Self.pieceBytes) }) {
            switch step {
            case .piece(let piece, let observer): observer.received(piece)
            case .end(let observer): return observer.finished(nil)
            }
        }
    }
}

extension ReplayExchange.State {
    /// What comes next; nil if that has to wait, or if nobody wants it.
    fileprivate mutating func next(upTo count: Int) -> ReplayExchange.Step? {
        guard let observer, !isPaused else {
            isFeeding = false
            return nil
        }
        guard !rest.isEmpty else {
            self.observer = nil
            return .end(observer)
        }
        let piece = rest.prefix(count)
        rest = rest.dropFirst(count)
        return .piece(Data(piece), observer)
    }
}
