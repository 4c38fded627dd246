import Basics
import HTTPTransport

/// The request object to which the transport's counts of bytes go, for one exchange.
///
/// Where the system wants them on a queue, the newest counts wait for it, and the end of the exchange waits for them:
/// whoever has the reply reads the last count.
final class ProgressTarget: Sendable {
    private let queue: ProgressQueue?
    private let state: Locked<State>

    /// Announces a new exchange.
    init(_ api: APIBase, sending body: HTTPBody) {
        queue = api.progressQueue
        state = Locked(State(api: api, news: News(sent: (0, body.count ?? -1), received: (0, 0))))
        announce()
    }

    /// Takes a count, in place of one that has not been published yet.
    func count(_ progress: ExchangeProgress) {
        state.withLock { $0.news.take(progress) }
        announce()
    }

    /// Whether there may be counts that have not been published.
    var isPending: Bool { queue != nil && state.withLock { !$0.isIdle } }

    /// Goes on when all counts so far have been published: at once, or on another thread.
    func settle(then action: @escaping @Sendable () -> Void) {
        guard let queue, !queue.isStuck, state.withLock({ $0.keep(action) }) else { return action() }
        queue.whenPatienceEnds { [weak self] in self?.giveUp() }
    }

    /// Publishes what there is: on the queue, even from the thread of the queue, since that may be drawing a view right now.
    private func announce() {
        guard let queue else { return publish() }
        if state.withLock({ $0.mayPost() }) { queue.run { self.publish() } }
    }

    private func publish() {
        guard let (api, news) = state.withLock({ $0.begin() }) else { return }
        if let sent = news.sent { api.uploadProgress = sent }
        if let received = news.received { api.downloadProgress = received }
        if let actions = state.withLock({ $0.finish() }) { return perform(actions) }
        // The queue gets other work in between, however fast the counts come.
        announce()
    }

    /// Stops waiting, and returns what has waited; nil if nothing has.
    private func giveUp() -> (@Sendable () -> Void)? {
        let actions = state.withLock { $0.takeWaiting() }
        guard !actions.isEmpty else { return nil }
        return { self.perform(actions) }
    }

    /// Decoding a reply may take its time, and is not for the queue.
    private func perform(_ actions: [@Sendable () -> Void]) {
        guard !actions.isEmpty else { return }
        WorkerPool.run { for action in actions { action() } }
    }
}

extension ProgressTarget {
    /// The newest counts of both ways.
    fileprivate struct News {
        var sent: (sent: Int64, expected: Int64)?
        var received: (received: Int64, expected: Int64)?

        var isEmpty: Bool { sent == nil && received == nil }

        mutating func take(_ progress: ExchangeProgress) {
            switch progress {
            case .sent(let bytes, let expected): sent = (bytes, expected ?? -1)
            case .received(let bytes, let expected): received = (bytes, expected ?? -1)
            }
        }
    }

    /// The counts to be published, and their object. It is not `Sendable`, but its progress is written here alone, by one thread
    /// at a time.
    fileprivate struct State {
        enum Phase { case idle, posted, publishing }

        // Not weak: weak references to an object slow down all others, and the call keeps it anyway.
        let api: APIBase
        /// The counts that have not been published.
        var news: News
        private var phase = Phase.idle
        /// The actions that wait until everything has been published.
        private var waiting: [@Sendable () -> Void] = []

        init(api: APIBase, news: News) {
            self.api = api
            self.news = news
        }

        var isIdle: Bool { phase == .idle }

        /// Whether the queue is to be asked to publish, and has not been.
        mutating func mayPost() -> Bool {
            guard phase == .idle, !news.isEmpty else { return false }
            phase = .posted
            return true
        }

        /// Takes the counts to publish; nil if there are none, or if another thread is publishing.
        mutating func begin() -> (APIBase, News)? {
            guard phase != .publishing, !news.isEmpty else { return nil }
            phase = .publishing
            defer { news = News() }
            return (api, news)
        }

        /// Takes the actions that waited for what has been published; nil if there is more to publish.
        mutating func finish() -> [@Sendable () -> Void]? {
            phase = .idle
            return news.isEmpty ? takeWaiting() : nil
        }

        /// Has the action wait for what is to be published; false if there is nothing.
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
