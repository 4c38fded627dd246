import APIBaseCore
import Basics
import HTTPTransport

/// The answer to a request of which a second copy is sent: the one that comes first.
///
/// One that fails, or is answered with a status from 500, does not count while the other is under way; the second copy
/// also not with one from 400, as of a server that takes a request once.
final class HedgedReplies: Subscription, Sendable {
    fileprivate typealias End = Result<StreamedReply, any Error>

    fileprivate struct State {
        var downstream: AnySubscriber<StreamedReply, any Error>?
        var hasStarted = false
        var copies: [Int: AnyCancellable] = [:]
        /// The copies without an end.
        var open: Set<Int> = []
        var isCopied = false
        var timer: CallWait?
        /// The end of the first copy that has failed.
        var failure: End?
    }

    private let call: Call
    private let pace: HedgePace
    /// Unchecked: each subscription is an exchange of its own.
    private let replies: UncheckedSendable<() -> ReplyPublisher>
    private let state: Locked<State>
    private let start: Duration

    init(
        _ call: Call,
        _ pace: HedgePace,
        for downstream: AnySubscriber<StreamedReply, any Error>,
        _ replies: @escaping () -> ReplyPublisher
    ) {
        (self.call, self.pace, self.replies) = (call, pace, UncheckedSendable(replies))
        state = Locked(uncheckedState: State(downstream: downstream))
        start = call.clock.now
    }

    func request(_ demand: Subscribers.Demand) {
        let starts = state.withLock { state in
            guard demand > .none, !state.hasStarted, state.downstream != nil else { return false }
            state.hasStarted = true
            state.open.insert(0)
            return true
        }
        guard starts else { return }
        send(0)
        guard let delay = pace.delay else { return }
        let timer = call.clock.wait(delay) { [weak self] in self?.sendCopy(after: delay) }
        let outdated = state.withLock { state in
            guard state.downstream != nil else { return timer }
            state.timer = timer
            return nil
        }
        outdated?.cancel()
    }

    private func sendCopy(after delay: Duration) {
        let isWanted = state.withLock { state in
            guard state.downstream != nil, state.open == [0], pace.begins() else { return false }
            (state.isCopied, state.timer) = (true, nil)
            state.open.insert(1)
            return true
        }
        guard isWanted else { return }
        // The budget of the retries has a lock of its own.
        guard call.settings.retry.budget?.spend(at: call.clock) != false else { return end(1, nil) }
        call.emit { .noted($0, CopySent(delay: delay)) }
        call.inContext { send(1) }
    }

    private func send(_ copy: Int) {
        let cancellable = replies.value().sink { [weak self] completion in
            if case .failure(let error) = completion { self?.end(copy, .failure(error)) } else { self?.end(copy, nil) }
        } receiveValue: { [weak self] reply in
            self?.end(copy, .success(reply))
        }
        let outdated = state.withLockUnchecked { state -> AnyCancellable? in
            guard state.open.contains(copy) else { return cancellable }
            state.copies[copy] = cancellable
            return nil
        }
        withExtendedLifetime(outdated) {}
    }

    /// Takes the end of a copy; `nil` for one without an answer.
    private func end(_ copy: Int, _ end: End?) {
        let last = state.withLockUnchecked { state -> (State, End?)? in
            guard state.open.remove(copy) != nil, state.downstream != nil else { return nil }
            let counts = end?.isAnswer(below: copy == 0 ? 500 : 400) == true
            if !counts {
                state.failure = state.failure ?? end
                guard state.open.isEmpty else { return nil }
            }
            let result = counts ? end : state.failure ?? end
            return (state.end(), result)
        }
        guard let (last, result) = last else { return }
        let isAnswer = result?.isAnswer(below: 500) == true
        pace.ended(after: isAnswer ? call.clock.now - start : nil, isCopied: last.isCopied)
        last.timer?.cancel()
        // The copy that has answered reads its body by itself.
        for (number, cancellable) in last.copies where number != copy { cancellable.cancel() }
        switch result {
        case .success(let reply):
            // The other copy may have had a head as well, which no one is told.
            call.received(reply.head)
            _ = last.downstream?.receive(reply)
            last.downstream?.receive(completion: .finished)
        case .failure(let error): last.downstream?.receive(completion: .failure(error))
        case nil: last.downstream?.receive(completion: .finished)
        }
    }

    func cancel() {
        let last = state.withLockUnchecked { $0.downstream == nil ? nil : $0.end() }
        guard let last else { return }
        if last.isCopied { pace.canceled() }
        last.timer?.cancel()
        for cancellable in last.copies.values { cancellable.cancel() }
    }
}

extension HedgedReplies.State {
    /// Ends the request, and returns the last state, to be released outside the lock.
    fileprivate mutating func end() -> Self {
        let last = self
        (downstream, timer, failure) = (nil, nil, nil)
        (copies, open) = ([:], [])
        return last
    }
}

extension Result<StreamedReply, any Error> {
    /// Whether the server has answered with a status below this.
    fileprivate func isAnswer(below status: Int) -> Bool {
        if case .success(let reply) = self { reply.head.statusCode < status } else { false }
    }
}
