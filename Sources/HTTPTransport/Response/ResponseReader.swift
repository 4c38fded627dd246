import Foundation
import Locking
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the events of one exchange into one value.
final class ResponseReader: Subscriber, Subscription, Sendable {
    typealias Output = (data: Data, response: HTTPURLResponse)
    typealias Downstream = AnySubscriber<Output, TransportError>

    fileprivate struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var isWanted = false
        var head: ResponseHead?
        var data = Data()
    }

    private let state: Locked<State>
    private let progress: (@Sendable (ExchangeProgress) -> Void)?

    init(for downstream: Downstream, progress: (@Sendable (ExchangeProgress) -> Void)?) {
        state = Locked(State(downstream: downstream))
        self.progress = progress
    }

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.withLock { state -> (any Subscription)? in
            guard demand > .none, !state.isWanted else { return nil }
            state.isWanted = true
            return state.upstream
        }
        upstream?.request(.unlimited)
    }

    func cancel() {
        let (upstream, downstream) = take()
        upstream?.cancel()
        _ = downstream
    }

    func receive(subscription: any Subscription) {
        let isWanted = state.withLock { state -> Bool? in
            guard state.downstream != nil, state.upstream == nil else { return nil }
            state.upstream = subscription
            return state.isWanted
        }
        guard let isWanted else { return subscription.cancel() }
        if isWanted { subscription.request(.unlimited) }
    }

    func receive(_ event: ExchangeEvent) -> Subscribers.Demand {
        let news = state.withLock { $0.take(event) }
        if let news, let progress { progress(news) }
        return .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        let (head, data) = state.withLock { state in
            defer { state.data = Data() }
            return (state.head, state.data)
        }
        if case .finished = completion, let head {
            let downstream = state.withLock { $0.downstream }
            _ = downstream?.receive((data, head.httpURLResponse))
        }
        take().downstream?.receive(completion: completion)
    }

    private func take() -> (upstream: (any Subscription)?, downstream: Downstream?) {
        state.withLock { state in
            defer {
                state.upstream = nil
                state.downstream = nil
            }
            return (state.upstream, state.downstream)
        }
    }
}

extension ResponseReader.State {
    /// Bytes that are reserved on the word of `Content-Length` alone.
    private static let trustedBytes: Int64 = 1 << 20

    /// Keeps what the event brings and returns the progress it means; nil once cancelled.
    fileprivate mutating func take(_ event: ExchangeEvent) -> ExchangeProgress? {
        guard downstream != nil else { return nil }
        switch event {
        case .sent(let bytes, let expected):
            return .sent(bytes, expected: expected)
        case .head(let head):
            self.head = head
            return nil
        case .body(let chunk):
            let expected = head?.expectedBytes
            if data.isEmpty {
                data = chunk
                if let expected, expected > Int64(chunk.count) {
                    data.reserveCapacity(Int(min(expected, Self.trustedBytes)))
                }
            } else {
                data.append(chunk)
            }
            return .received(Int64(data.count), expected: expected)
        }
    }
}
