/// Builds and checks the request of each attempt, with the task locals of the code that started the call.
struct BuildStep: CallStep {
    private let call: Call

    init(_ call: Call) { self.call = call }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        try call.inContext {
            Result {
                try call.inScope {
                    var attempt = attempt
                    attempt.request = try call.buildRequest()
                    call.isBuilt(attempt.request)
                    return try next.reply(to: attempt)
                }
            }
        }
        .get()
    }
}

extension Call {
    /// The request of an attempt, as the object and the variant build it, with its idempotency key.
    package func buildRequest() throws -> URLRequest {
        let build = api.buildURLRequest
        var request = try variant?.request(build) ?? build()
        if variant?.hasOwnBody != false { try api.addIdempotencyKey(to: &request) }
        return request
    }
}
