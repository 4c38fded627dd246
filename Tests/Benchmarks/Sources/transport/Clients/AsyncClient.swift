import AsyncHTTPClient
import NIOCore

/// AsyncHTTPClient as its documentation begins.
struct AsyncClient: TaskClient {
    let job: Job
    private let client: HTTPClient

    init(_ job: Job) {
        self.job = job
        client = HTTPClient(job)
    }

    func send() async throws -> Bool {
        try await client.body(for: job)?.readableBytes == job.length
    }

    func close() async { try? await client.shutdown() }
}

extension HTTPClient {
    /// The body of one request's response; nil if its status is not 200.
    func body(for job: Job) async throws -> ByteBuffer? {
        let request = HTTPClientRequest(url: job.url.absoluteString)
        let response = try await execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: job.length)
        return response.status == .ok ? body : nil
    }
}
