import HTTPTransport

/// Reads the response to ``APIBase/replyEvents(endMark:)`` as events, and waits for the first one. Until then the
/// attempt has no response, so that it can be repeated.
package struct FirstEventStep: CallStep {
    private let call: Call
    private let read: EventReader

    package init?(_ call: Call) {
        guard let read = call.overrides?.readEvents else { return nil }
        (self.call, self.read) = (call, read)
    }

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
                let (body, endMark) = try read(reply, call.api)
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

/// Reads a response as events.
///
/// - Returns: The events, and the data of the event that must end them; `nil` if they end with the body.
/// - Throws: The error of the attempt, if the response has no events.
package typealias EventReader =
    @Sendable (
        StreamedReply, APIBase
    ) throws -> (events: AnyPublisher<ServerSentEvent, any Error>, endMark: String?)
