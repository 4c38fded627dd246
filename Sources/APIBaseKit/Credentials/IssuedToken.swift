import Basics
import HTTPTransport

/// One token of a source, for one subscriber.
struct IssuedToken: Publisher {
    typealias Output = TokenSource.Issued
    typealias Failure = any Error

    let source: TokenSource
    /// The server that the token is for.
    let origin: Origin?
    /// The token that the server has refused; `nil` for a first attempt.
    let refused: TokenSource.Issued?
    /// The call that needs it: a refresh runs where that was started.
    let call: Call

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Wait(self, for: subscriber))
    }
}

private final class Wait: Subscription, Sendable {
    typealias Downstream = any Subscriber<TokenSource.Issued, any Error>

    private enum State {
        case idle(Downstream)
        case waiting(Downstream, Int?)
        case over
    }

    private let issued: IssuedToken
    private let line: TokenLine
    private let state: Locked<State>

    init(_ issued: IssuedToken, for downstream: Downstream) {
        self.issued = issued
        line = issued.source.line(of: issued.call.tokenOwner, for: issued.origin)
        state = Locked(.idle(downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        let begins = state.withLock { state in
            guard demand > .none, case .idle(let downstream) = state else { return false }
            state = .waiting(downstream, nil)
            return true
        }
        guard begins else { return }
        let call = issued.call
        let number = call.context.run {
            call.inScope {
                line.wait(for: issued.source, refused: issued.refused, on: call.clock) { self.end($0) }
            }
        }
        guard let number else { return }
        let isOver = state.withLock { state in
            guard case .waiting(let downstream, _) = state else { return true }
            state = .waiting(downstream, number)
            return false
        }
        // Cancelled meanwhile; if it has ended, the source does not know the number any more.
        if isOver { line.stopWaiting(number) }
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .waiting(_, let number?) = last { line.stopWaiting(number) }
    }

    private func end(_ result: Result<TokenSource.Issued, any Error>) {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .waiting(let downstream, _) = last else { return }
        switch result {
        case .success(let token):
            if issued.refused != nil { issued.call.reportRefresh() }
            _ = downstream.receive(token)
            downstream.receive(completion: .finished)
        case .failure(let error):
            issued.call.state.withLock { $0.refreshFailed() }
            downstream.receive(completion: .failure(error))
        }
    }
}
