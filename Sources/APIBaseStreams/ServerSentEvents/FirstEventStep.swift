import HTTPTransport

/// Reads the response to ``APIBase/replyEvents(endMark:)`` as events, and waits for the first one. Until then the
/// attempt has no response, so that it can be repeated.
struct FirstEventStep: CallStep {
    private let call: Call
    private let reader: ReplyEventReader

    init(_ call: Call, reader: ReplyEventReader) { (self.call, self.reader) = (call, reader) }

    func reply(to attempt: Attempt, next: NextStep) -> PendingResponse {
        PendingResponse { [self] then in
            next.start(attempt) { result in
                guard case .success(let reply?) = result, let stream = reply.stream else { return then(result) }
                awaitFirst(of: stream, then: then)
            }
        }
    }

    private func awaitFirst(of reply: StreamedReply, then: @escaping PendingResponse.Receiver) {
        call.wait {
            do {
                let (body, endMark) = try reader.events(of: reply, to: call)
                let events = AwaitedEvents(endMark: endMark)
                events.awaitFirst(of: body) { [call] result in
                    if case .success(true) = result { call.receivedFirstEvent() }
                    let reply = StreamedReply(reply.head, events: events.publisher)
                    then(result.map { _ in AttemptResponse(whole: CallResponse(reply.head, Data()), stream: reply) })
                }
                // The call may have ended meanwhile, with a response that is read on.
                return .work(AnyCancellable { events.stopAwaiting() })
            } catch {
                then(.failure(error))
                return nil
            }
        }
    }
}
