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
        let build = call.api.buildURLRequest
        var request = try call.variant?.request(build) ?? build()
        if call.variant?.hasOwnBody != false { try call.api.addIdempotencyKey(to: &request) }
        call.isBuilt(request)
        return request
    }
}
