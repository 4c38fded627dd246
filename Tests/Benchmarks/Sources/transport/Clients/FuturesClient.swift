import AsyncHTTPClient
import NIOCore

/// AsyncHTTPClient without Swift's concurrency.
struct FuturesClient: CallbackClient {
    let job: Job
    private let client: HTTPClient

    init(_ job: Job) {
        self.job = job
        client = HTTPClient(job)
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        client.get(url: job.url.absoluteString, deadline: .now() + .seconds(60)).whenComplete { result in
            guard case .success(let response) = result else { return done(false) }
            done(response.status == .ok && response.body?.readableBytes == length)
        }
    }

    func close() async { try? await client.shutdown() }
}
