import APIBaseKit

/// The kit awaited, decoded.
struct ValueDecodedClient: KitTaskClient {
    let job: Job
    let kit: Kit

    init(_ job: Job) {
        self.job = job
        kit = Kit(job)
    }

    func send() async throws -> Bool { try await kit.users.value().count == Users.count }

    func close() async { await kit.close() }
}
