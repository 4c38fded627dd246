import HTTPTransport

extension GatePass.End {
    /// Tells from the result of an attempt how healthy the server is, and whether it asks for a pause.
    init(_ result: Result<CallReply, any Error>) {
        switch result {
        case .success(let reply):
            let status = reply.head.statusCode
            outcome = status >= 500 ? .failure : .success
            pause = status == 429 ? RetryAfter.wait(asked: reply.head) : nil
        case .failure(let error):
            outcome = error.isTransient ? .failure : .unknown
        }
    }
}
