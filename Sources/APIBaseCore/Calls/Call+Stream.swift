import Basics
import HTTPTransport

extension Call {
    /// The response with a body that ends the call.
    func followed(_ reply: StreamedReply, in series: CancelableSeries) -> StreamedReply {
        let end = StreamEnd(of: self, reply.head, in: series)
        let bytes = reply.body
        // A body that nobody reads is given up. The reader of another one ends with it.
        _ = series.begin { [weak end] error in
            bytes.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
            end?.end(.failure(error), of: nil)
        }
        var reply = reply
        reply.end = end
        return reply
    }

    /// The body of a stream has ended.
    fileprivate func ended(_ completion: Subscribers.Completion<any Error>, _ head: ResponseHead) {
        var report = state.withLock { $0.report }
        report.reply = CallResponse(head, Data())
        switch completion {
        case .finished: tell(.ended(timings(of: report)))
        case .failure(let own):
            // What reads the body may have been canceled at the deadline before the body itself.
            let error = own is CancellationError ? deadlineError ?? own : own
            if !(error is CancellationError) { api.record(error) }
            reportFailure(error, report)
        }
    }
}

/// The end of a stream: its body has finished, has failed, or is released.
final class StreamEnd: PullOwner {
    private struct State {
        var isOver = false
        /// The subscription that reads.
        var reader: ObjectIdentifier?
    }

    private let call: Call
    private let head: ResponseHead
    /// Ends with the call.
    let series: any PullSeries
    private let state = Locked(State())

    init(of call: Call, _ head: ResponseHead, in series: any PullSeries) {
        (self.call, self.head, self.series) = (call, head, series)
    }

    deinit { end(.failure(CancellationError()), of: nil) }

    func begin(_ reader: ObjectIdentifier) { state.withLock { $0.reader = $0.reader ?? reader } }

    /// The secrets of the call.
    var secrets: RequestSecrets { call.secrets }

    /// Without secrets, and the error of the series after a cancel of that, which may end the body before its reader.
    func seen(_ completion: Subscribers.Completion<any Error>) -> Subscribers.Completion<any Error> {
        guard case .failure(let error) = completion else { return completion }
        return .failure(series.cancellation ?? call.shown(error))
    }

    func end(_ completion: Subscribers.Completion<any Error>, of reader: ObjectIdentifier?) {
        let isEnd = state.withLock { state in
            guard !state.isOver, reader == nil || reader == state.reader else { return false }
            state.isOver = true
            return true
        }
        if isEnd { call.ended(completion, head) }
    }
}
