import Dispatch
import Foundation
import HTTPTransport
import Locking

/// An engine that has the answer before it is asked. What is above it does not know the difference.
final class ReplayEngine: ExchangeEngine {
    /// What a server said.
    struct Reply {
        let head: ResponseHead
        let body: Data
    }

    private let answer: Result<Reply, EngineFailure>

    init(_ answer: Result<Reply, EngineFailure>) {
        self.answer = answer
    }

    func exchange(_ request: ExchangeRequest) -> any EngineExchange {
        ReplayExchange(answer, sending: request.body.count)
    }
}

/// One replay: the body goes out in pieces, which stop when they are told to.
private final class ReplayExchange: EngineExchange {
    private static let pieceBytes = 16 << 10

    fileprivate struct State {
        var sink: (any ExchangeSink)?
        var rest = Data()
        var isPaused = false
        var isFeeding = false
    }

    fileprivate enum Step {
        case piece(Data, any ExchangeSink)
        case end(any ExchangeSink)
    }

    let canPause = true
    let seesConnection = true
    private let answer: Result<ReplayEngine.Reply, EngineFailure>
    private let sentBytes: Int64
    private let state = Locked(State())

    init(_ answer: Result<ReplayEngine.Reply, EngineFailure>, sending sentBytes: Int64?) {
        self.answer = answer
        self.sentBytes = sentBytes ?? 0
    }

    func start(_ sink: any ExchangeSink) {
        sink.began()
        sink.connected()
        switch answer {
        case .failure(let failure): sink.finished(failure)
        case .success(let reply):
            state.withLock { state in
                state.sink = sink
                state.rest = reply.body
                state.isFeeding = true
            }
            if sentBytes > 0 { sink.sent(sentBytes, expected: sentBytes) }
            sink.received(reply.head)
            feed()
        }
    }

    func setPaused(_ paused: Bool) {
        let begins = state.withLock { state in
            state.isPaused = paused
            guard !paused, !state.isFeeding, state.sink != nil else { return false }
            state.isFeeding = true
            return true
        }
        // Not here: whoever calls is in the middle of handing out what came before.
        if begins { DispatchQueue(label: "APIBaseStubs.Replay").async { self.feed() } }
    }

    func cancel() {
        let dropped = state.withLock { state in
            defer { state.sink = nil }
            return state.sink
        }
        _ = dropped
    }

    private func feed() {
        while let step = state.withLock({ $0.next(upTo: Self.pieceBytes) }) {
            switch step {
            case .piece(let piece, let sink): sink.received(piece)
            case .end(let sink): return sink.finished(nil)
            }
        }
    }
}

extension ReplayExchange.State {
    /// What comes next; nil if that has to wait, or if nobody wants it.
    fileprivate mutating func next(upTo count: Int) -> ReplayExchange.Step? {
        guard let sink, !isPaused else {
            isFeeding = false
            return nil
        }
        guard !rest.isEmpty else {
            self.sink = nil
            return .end(sink)
        }
        let piece = rest.prefix(count)
        rest = rest.dropFirst(count)
        return .piece(Data(piece), sink)
    }
}
