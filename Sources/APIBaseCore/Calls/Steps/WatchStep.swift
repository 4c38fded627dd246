/// Calls the watchers of the call with the request of each attempt.
struct WatchStep: CallStep {
    private let call: Call

    init?(_ call: Call) {
        guard !call.watchers.isEmpty else { return nil }
        self.call = call
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        let info = CallEvent.Info(of: call, attempt.number, attempt.request, others: [])
        let watched = try CallEvent.Info.$watched.withValue(info) {
            try call.watchers.reduce(attempt) { $0.changed(to: try $1.attempt($0.request), by: call) }
        }
        return try next.reply(to: watched)
    }
}
