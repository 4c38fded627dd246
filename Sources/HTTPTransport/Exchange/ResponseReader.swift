import Basics
import Foundation
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One subscription to ``HTTPSession/response(to:progress:)``: collects the events of an exchange into one value.
final class ResponseReader: ExchangeReader, Subscription, Sendable {
    typealias Output = (data: Data, response: HTTPURLResponse)
    typealias Downstream = AnySubscriber<Output, TransportError>

    fileprivate struct State {
        var downstream: Downstream?
        var upstream: ExchangeSubscription?
        var hasStarted = false
        var head: ResponseHead?
        var data = Data()
    }

    private let request: ExchangeRequest
    private let session: any HTTPSession
    private let progress: (@Sendable (ExchangeProgress) -> Void)?
    private let state: Locked<State>

    init(
        _ request: ExchangeRequest,
        on session: any HTTPSession,
        progress: (@Sendable (ExchangeProgress) -> Void)?,
        for downstream: Downstream
    ) {
        var request = request
        // All of it is kept in memory anyway, so a reader that lags behind is no reason to fail.
        request.limits.queuedBytes = max(request.limits.queuedBytes, request.limits.responseBytes)
        self.request = request
        self.session = session
        self.progress = progress
        state = Locked(State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        let starts = state.withLock { state in
            guard demand > .none, !state.hasStarted else { return false }
            state.hasStarted = true
            return state.downstream != nil
        }
        if starts { read(ExchangeSubscription(request, on: session, for: self)) }
    }

    func cancel() {
        let remains = take()
        remains.upstream?.cancel()
        withExtendedLifetime(remains) {}
    }

    private func read(_ exchange: ExchangeSubscription) {
        let isWanted = state.withLock { state in
            if state.downstream != nil { state.upstream = exchange }
            return state.downstream != nil
        }
        if isWanted { exchange.request(.unlimited) }
    }

    func receive(_ event: ExchangeEvent) -> Subscribers.Demand {
        let news = state.withLock { $0.take(event, reports: progress != nil) }
        if let news, let progress { progress(news) }
        return .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        let last = state.withLock { state in
            defer { state.data = Data() }
            return state
        }
        if case .finished = completion, let head = last.head {
            _ = last.downstream?.receive((last.data, head.httpURLResponse))
        }
        // It may have cancelled when it got the value.
        take().downstream?.receive(completion: completion)
    }

    private func take() -> (upstream: ExchangeSubscription?, downstream: Downstream?) {
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

    /// Keeps what the event brings and returns the progress it means; nil once cancelled, or if nobody is told.
    fileprivate mutating func take(_ event: ExchangeEvent, reports: Bool) -> ExchangeProgress? {
        guard downstream != nil else { return nil }
        switch event {
        case .sent(let bytes, let expected): return .sent(bytes, expected: expected)
        case .head(let head):
            self.head = head
            return nil
        case .body(let chunk):
            append(chunk)
            return reports ? .received(Int64(data.count), expected: head?.expectedBytes) : nil
        }
    }

    private mutating func append(_ chunk: Data) {
        guard data.isEmpty else { return data.append(chunk) }
        data = chunk
        if let expected = head?.expectedBytes, expected > Int64(chunk.count) {
            data.reserveCapacity(Int(min(expected, Self.trustedBytes)))
        }
    }
}
