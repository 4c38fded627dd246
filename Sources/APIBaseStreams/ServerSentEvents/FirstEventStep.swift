import HTTPTransport

/// Reads the response to ``APIBase/replyEvents(endMark:)`` as events, and waits for the first one. Until then the
/// attempt has no response, so that it can be repeated.
struct FirstEventStep: CallStep {
    private let call: Call
    private let awaitFirst: ReplyEventVariant.AwaitFirst

    init(_ call: Call, _ awaitFirst: @escaping ReplyEventVariant.AwaitFirst) {
        (self.call, self.awaitFirst) = (call, awaitFirst)
    }

    func reply(to attempt: Attempt, next: NextStep) -> PendingResponse {
        PendingResponse { [self] then in
            next.start(attempt) { result in
                guard case .success(let reply?) = result, let stream = reply.stream else { return then(result) }
                call.wait {
                    do {
                        // The call may have ended meanwhile, with a response that is read on.
                        return .work(
                            try awaitFirst(stream, call) { [call] result in
                                if case .success(true) = result { call.receivedFirstEvent() }
                                then(result.map { _ in reply })
                            }
                        )
                    } catch {
                        then(.failure(error))
                        return nil
                    }
                }
            }
        }
    }
}
