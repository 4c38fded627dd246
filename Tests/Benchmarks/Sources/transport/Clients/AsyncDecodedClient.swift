import AsyncHTTPClient
import Foundation
import JSONPlaceholder
import NIOCore

/// AsyncHTTPClient as its documentation begins, and models of what comes.
struct AsyncDecodedClient: TaskClient {
    let job: Job
    private let client: HTTPClient

    init(_ job: Job) {
        self.job = job
        client = HTTPClient(job)
    }

    func send() async throws -> Bool {
        guard let body = try await client.body(for: job) else { return false }
        return try JSONDecoder().decode([User].self, from: Data(body.readableBytesView)).count == Users.count
    }

    func close() async { try? await client.shutdown() }
}
