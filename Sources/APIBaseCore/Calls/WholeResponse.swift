import HTTPTransport

/// The reader of an exchange (a request and its response) whose response is delivered when it is complete.
///
/// Unchecked: the exchange delivers one thing after another, and the end last.
final class WholeResponse: @unchecked Sendable {
    private let call: Call
    private let progress: ProgressReporter?
    private let then: PendingResponse.Receiver
    private var reply: CallResponse?

    init(of call: Call, _ progress: ProgressReporter?, then: @escaping PendingResponse.Receiver) {
        (self.call, self.progress, self.then) = (call, progress, then)
    }
}

extension WholeResponse: WholeReader {
    func receive(_ head: ResponseHead) { call.received(head) }

    func receive(_ progress: ExchangeRequest.Progress) { call.count(progress, for: self.progress) }

    func receive(whole data: Data, after head: ResponseHead) { reply = CallResponse(head, data) }

    func receive(completion: Subscribers.Completion<TransportError>) {
        call.exchangeEnded(completion)
        guard let progress, progress.isPending else { return end(completion) }
        progress.flush { if self.call.isRunning { self.end(completion) } }
    }

    private func end(_ completion: Subscribers.Completion<TransportError>) {
        switch (completion.withInjectedError, reply) {
        case (.failure(let error), _): then(.failure(error))
        case (.finished, nil): then(.failure(RequestError.nonHTTPResponse))
        case (.finished, let reply?): then(.success(AttemptResponse(whole: reply)))
        }
    }
}
