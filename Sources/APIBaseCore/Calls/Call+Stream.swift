import Basics
import HTTPTransport

extension Call {
    /// The response with a body, or events, that end the call.
    func followed(_ reply: StreamedReply, in series: CancelableSeries) -> StreamedReply {
        var result =
            reply.events.map { StreamedReply(reply.head, events: followed($0, reply.head, series)) }
            ?? StreamedReply(reply.head, body: followed(reply.body, reply.head, series))
        result.call = self
        return result
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
        return values.cancelable(with: series, ending: end)
    }

    /// The body of a stream has ended.
    fileprivate func ended(_ completion: Subscribers.Completion<any Error>, _ head: ResponseHead) {
        var report = state.withLock { $0.report }
        report.reply = CallResponse(head, Data())
        switch completion {
        case .finished: tell(.ended(timings(of: report)))
        case .failure(let error):
            if !(error is CancellationError) { api.record(error) }
            reportFailure(error, report)
        }
    }
}

/// The end of a stream: its body has finished, has failed, or is released.
package final class StreamEnd: Sendable {
    private struct State {
        var isOver = false
        /// The subscription that reads.
        var reader: ObjectIdentifier?
    }

    private let call: Call
    private let head: ResponseHead
    private let state = Locked(State())

    init(of call: Call, _ head: ResponseHead) {
        self.call = call
        self.head = head
    }

    deinit { end(.failure(CancellationError()), of: nil) }

    /// The first subscriber with demand reads the body.
    func begin(_ reader: ObjectIdentifier) { state.withLock { $0.reader = $0.reader ?? reader } }

    /// The secrets of the call.
    var secrets: RequestSecrets { call.secrets }

    /// Ends the call, if this is its reader; `nil` if the body is given up.
    func end(_ completion: Subscribers.Completion<any Error>, of reader: ObjectIdentifier?) {
        let isEnd = state.withLock { state in
            guard !state.isOver, reader == nil || reader == state.reader else { return false }
            state.isOver = true
            return true
        }
        if isEnd { call.ended(completion, head) }
    }
}
