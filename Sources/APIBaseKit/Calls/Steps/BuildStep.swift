/// Builds and checks the request of each attempt, with the task locals of where the call was started.
struct BuildStep: CallStep {
    private let call: Call

    init(_ call: Call) { self.call = call }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingReply {
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
        // The object of a shared call may be used for another meanwhile.
        var request = try call.shared?.key.request ?? call.api.buildURLRequest()
        if let variation = call.variation { request = try variation.change(request) }
        try call.api.addIdempotencyKey(to: &request)
        call.isBuilt(request)
        return request
    }
}
