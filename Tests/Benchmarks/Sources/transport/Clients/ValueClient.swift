import APIBaseKit

/// The kit awaited, with both validations, without decoding.
struct ValueClient: KitTaskClient {
    let job: Job
    let kit: Kit

    init(_ job: Job) {
        self.job = job
        kit = Kit(job)
    }

    func send() async throws -> Bool { try await kit.body.value().count == job.length }

    func close() async { await kit.close() }
}
