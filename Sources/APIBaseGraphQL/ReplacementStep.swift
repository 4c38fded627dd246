import Basics

/// Sends another request in the same attempt if the response says that the API has to, as for a query that the server
/// does not know by its hash.
final class Replacement: CallFeature {
    static let shared = Replacement()
    static let position = StepPosition.aroundRequest

    func step(in call: Call) -> (any CallStep)? {
        guard let api = call.api as? GraphQLAPI, api.mayReplaceRequest, !call.isStream else { return nil }
        return ReplacementStep(call: call, api: UncheckedSendable(api))
    }
}

private struct ReplacementStep: CallStep {
    let call: Call
    /// Unchecked: from here on the request object is only read, as its documentation requires.
    let api: UncheckedSendable<GraphQLAPI>

    func reply(to attempt: Attempt, next: NextStep) -> PendingResponse {
        PendingResponse { [self] then in
            next.startInContext(attempt) { result in
                guard case .success(let reply?) = result else { return then(result) }
                do {
                    guard let request = try replacement(after: reply.whole) else { return then(result) }
                    var attempt = attempt
                    attempt.request = request
                    call.reportRefresh()
                    next.startInContext(attempt, then: then)
                } catch {
                    then(.failure(error))
                }
            }
        }
    }

    private func replacement(after reply: CallResponse) throws -> URLRequest? {
        try call.inContext {
            Result {
                try call.inScope {
                    guard var request = try api.value.replacement(after: reply) else { return nil }
                    try call.api.addIdempotencyKey(to: &request)
                    return request
                }
            }
        }
        .get()
    }
}
