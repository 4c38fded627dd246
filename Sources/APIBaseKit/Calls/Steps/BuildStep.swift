/// Builds and checks the request of each attempt, with the task locals of the code that started the call.
struct BuildStep: CallStep {
    private let call: Call

    init(_ call: Call) { self.call = call }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        try call.inAttempt {
            Result {
                try call.inScope {
                    var attempt = attempt
                    attempt.request = try buildRequest()
                    return try next.reply(to: attempt)
                }
            }
        }
        .get()
    }

    private func buildRequest() throws -> URLRequest {
        // Not built again for a shared call, whose request object may have changed.
        var request = try call.shared?.key.request ?? call.api.buildURLRequest()
        if let overrides = call.overrides { request = try overrides.change(request) }
        if call.overrides?.isPoll != true { try call.api.addIdempotencyKey(to: &request) }
        call.isBuilt(request)
        return request
    }
}
