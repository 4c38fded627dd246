/// Calls the watchers of the call with the request of each attempt.
struct WatchStep: CallStep {
    private let call: Call

    init?(_ call: Call) {
        guard !call.watchers.isEmpty else { return nil }
        self.call = call
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        let info = CallEvent.Info(of: call, attempt.number, attempt.request, others: [])
        let request = try CallEvent.Info.$watched.withValue(info) {
            try call.watchers.reduce(attempt.request) { try $1.attempt($0) }
        }
        return try next.reply(to: attempt.changed(to: request, by: call))
    }
}
