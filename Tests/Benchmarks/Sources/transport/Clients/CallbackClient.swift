/// A contender whose requests are closures that call back.
protocol CallbackClient: Client {
    var job: Job { get }
    /// Sends one request, and says when it is over whether it brought what it should.
    func send(_ done: @escaping @Sendable (Bool) -> Void)
}

extension CallbackClient {
    func run(_ count: Int) async -> Int {
        await inLanes(job.concurrency) {
            await withCheckedContinuation { continuation in
                sendAll(count / job.concurrency, failures: 0) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Sends one request after the other.
    private func sendAll(_ left: Int, failures: Int, _ done: @escaping @Sendable (Int) -> Void) {
        guard left > 0 else { return done(failures) }
        send { sendAll(left - 1, failures: failures + ($0 ? 0 : 1), done) }
    }
}
