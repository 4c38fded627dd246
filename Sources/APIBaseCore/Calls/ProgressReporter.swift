import Basics
import HTTPTransport

/// Publishes the byte counts of one exchange, a request and its response, in the request object: on a queue, or at once
/// without one.
package struct ProgressReporter: Sendable {
    /// Unchecked: only this type writes the object's progress, one count after another.
    private let api: UncheckedSendable<APIBase>
    private let queued: QueuedProgress?

    /// Resets the progress for a new exchange. If the object has had none before, only a body's size is published. What
    /// was received stays if the exchange goes on with it.
    package init(_ api: APIBase, sending body: HTTPBody, isFirst: Bool = false, isContinued: Bool = false) {
        if !isFirst { api.shared.withLock { $0.hasProgress = true } }
        self.api = UncheckedSendable(api)
        queued = api.progressQueue.map { QueuedProgress(api, on: $0) }
        if !isFirst || body.count != 0 { count(.sent(0, expected: body.count)) }
        if !isFirst, !isContinued { count(.received(0, expected: 0)) }
    }

    /// Takes a count, which replaces one that has not been published yet.
    package func count(_ progress: ExchangeRequest.Progress) {
        if let queued { return queued.count(progress) }
        switch progress {
        case .sent(let bytes, let expected): api.value.uploadProgress = (bytes, expected ?? -1)
        case .received(let bytes, let expected): api.value.downloadProgress = (bytes, expected ?? -1)
        }
    }

    /// Whether there may be counts that have not been published.
    var isPending: Bool { queued?.isPending ?? false }

    /// Performs `action` when all counts so far have been published: at once, or later on another thread.
    package func flush(then action: @escaping @Sendable () -> Void) {
        if let queued { queued.flush(then: action) } else { action() }
    }
}

/// The counts of one exchange on their way to a queue.
///
/// Only the newest counts are published, and the end of the exchange waits for them: when the response arrives, the
/// last count has been published.
private final class QueuedProgress: Sendable {
    private let queue: ProgressQueue
    private let state: Locked<State>

    init(_ api: APIBase, on queue: ProgressQueue) {
        self.queue = queue
        state = Locked(uncheckedState: State(api: api))
    }

    func count(_ progress: ExchangeRequest.Progress) {
        state.withLock { $0.pending.update(progress) }
        schedule()
    }

    var isPending: Bool { state.withLock { !$0.isIdle } }

    func flush(then action: @escaping @Sendable () -> Void) {
        guard !queue.isStuck, state.withLock({ $0.keep(action) }) else { return action() }
        queue.afterTimeout { [weak self] in self?.giveUp() }
    }

    /// Publishes the pending counts. Always on the queue, even from its own thread, which may be drawing a view now.
    private func schedule() {
        if state.withLock({ $0.mayPost() }) { queue.run { self.publish() } }
    }

    private func publish() {
        guard let (api, pending) = state.withLock({ $0.begin() }) else { return }
        if let sent = pending.sent { api.uploadProgress = sent }
        if let received = pending.received { api.downloadProgress = received }
        if let actions = state.withLock({ $0.finish() }) { return perform(actions) }
        // Scheduled again rather than repeated, so that the queue gets to other work in between.
        schedule()
    }

    private func giveUp() -> (@Sendable () -> Void)? {
        let actions = state.withLock { $0.takeWaiting() }
        guard !actions.isEmpty else { return nil }
        return { self.perform(actions) }
    }

    /// Performs the actions away from the queue, since decoding a response may take long.
    private func perform(_ actions: [@Sendable () -> Void]) {
        guard !actions.isEmpty else { return }
        WorkerPool.run { for action in actions { action() } }
    }
}

extension QueuedProgress {
    /// The newest counts of both directions that have not been published.
    fileprivate struct PendingProgress {
        var sent: (sent: Int64, expected: Int64)?
        var received: (received: Int64, expected: Int64)?

        var isEmpty: Bool { sent == nil && received == nil }

        mutating func update(_ progress: ExchangeRequest.Progress) {
            switch progress {
            case .sent(let bytes, let expected): sent = (bytes, expected ?? -1)
            case .received(let bytes, let expected): received = (bytes, expected ?? -1)
            }
        }
    }

    /// The pending counts and their request object, which is not `Sendable`: only this type writes its progress, on one
    /// thread at a time.
    fileprivate struct State {
        enum Phase { case idle, posted, publishing }

        // Not weak: weak references slow down all other references to an object, and the call retains it anyway.
        let api: APIBase
        var pending = PendingProgress()
        private var phase = Phase.idle
        /// The actions to perform when everything has been published.
        private var waiting: [@Sendable () -> Void] = []

        init(api: APIBase) { self.api = api }

        var isIdle: Bool { phase == .idle }

        /// Whether to post the counts to the queue.
        mutating func mayPost() -> Bool {
            guard phase == .idle, !pending.isEmpty else { return false }
            phase = .posted
            return true
        }

        /// Takes the counts to publish; `nil` if nothing is new, or another thread is publishing.
        mutating func begin() -> (APIBase, PendingProgress)? {
            guard phase != .publishing, !pending.isEmpty else { return nil }
            phase = .publishing
            defer { pending = PendingProgress() }
            return (api, pending)
        }

        /// Takes the waiting actions; `nil` if there are more counts to publish.
        mutating func finish() -> [@Sendable () -> Void]? {
            phase = .idle
            return pending.isEmpty ? takeWaiting() : nil
        }

        /// Keeps an action until everything has been published; false if that is so already.
        mutating func keep(_ action: @escaping @Sendable () -> Void) -> Bool {
            guard phase != .idle else { return false }
            waiting.append(action)
            return true
        }

        mutating func takeWaiting() -> [@Sendable () -> Void] {
            defer { waiting = [] }
            return waiting
        }
    }
}
