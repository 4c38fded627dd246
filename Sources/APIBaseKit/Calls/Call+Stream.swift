import Basics
import HTTPTransport

extension Call {
    /// The response with a body, or events, that end the call.
    func followed(_ reply: StreamedReply, in series: CancelableSeries) -> StreamedReply {
        if let events = reply.events { return StreamedReply(reply.head, events: followed(events, reply.head, series)) }
        return StreamedReply(reply.head, body: followed(reply.body, reply.head, series))
    }

    private func followed<Value>(
        _ values: AnyPublisher<Value, any Error>,
        _ head: ResponseHead,
        _ series: CancelableSeries
    ) -> AnyPublisher<Value, any Error> {
        let end = StreamEnd(of: self, head)
        // A body that nobody reads is given up. The reader of another one ends with it.
        _ = series.begin {
            values.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
            end.end(.failure(CancellationError()), of: nil)
        }
        return end.following(values).cancelable(with: series)
    }

    /// The body of a stream has ended.
    fileprivate func ended(_ completion: Subscribers.Completion<any Error>, _ head: ResponseHead) {
        var report = state.withLock { $0.report }
        report.reply = CallResponse(head, Data())
        switch completion {
        case .finished: api.report(.ended(timings(of: report)))
        case .failure(let error):
            if !(error is CancellationError) { api.record(error) }
            reportFailure(error, report)
        }
    }
}

/// The end of a stream: its body has finished, has failed, or is released.
private final class StreamEnd: Sendable {
    private struct State {
        var isOver = false
        /// The number of subscribers so far, and the number of the one that reads.
        var readers = 0
        var reader: Int?
    }

    private let call: Call
    private let head: ResponseHead
    private let state = Locked(State())

    init(of call: Call, _ head: ResponseHead) {
        self.call = call
        self.head = head
    }

    deinit { end(.failure(CancellationError()), of: nil) }

    /// The values, which end the call.
    func following<Value>(_ values: AnyPublisher<Value, any Error>) -> AnyPublisher<Value, any Error> {
        Deferred { [self] in
            let number = nextReader()
            return values.handleEvents(
                receiveCompletion: { self.end($0, of: number) },
                receiveCancel: { self.end(.failure(CancellationError()), of: number) },
                receiveRequest: { if $0 > .none { self.begins(number) } }
            )
        }
        .eraseToAnyPublisher()
    }

    private func nextReader() -> Int {
        state.withLock { state in
            state.readers += 1
            return state.readers
        }
    }

    /// The first subscriber with demand reads the body.
    private func begins(_ reader: Int) { state.withLock { $0.reader = $0.reader ?? reader } }

    func end(_ completion: Subscribers.Completion<any Error>, of reader: Int?) {
        let isEnd = state.withLock { state in
            guard !state.isOver, reader == nil || reader == state.reader else { return false }
            state.isOver = true
            return true
        }
        if isEnd { call.ended(completion, head) }
    }
}
