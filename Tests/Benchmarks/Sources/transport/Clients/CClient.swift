import CTransfers

/// libcurl's multi interface in plain C. It has no limit of its own, so it has that of the others: 8 connections.
struct CClient: Client {
    struct NoLibrary: Error {}

    let job: Job
    /// Only one thread at a time uses it: `run` is awaited before the next.
    nonisolated(unsafe) private let transfers: OpaquePointer

    init(_ job: Job) throws {
        self.job = job
        let made = job.url.absoluteString.withCString { url in
            (job.authorities?.path).withOptionalCString { authorities in
                var plan = transfers_plan()
                plan.url = url
                plan.authorities = authorities
                plan.http2 = job.isSecure
                plan.concurrency = Int32(job.concurrency)
                plan.connections = Int32(job.connections ?? 8)
                plan.length = job.length
                return transfers_new(&plan)
            }
        }
        guard let made else { throw NoLibrary() }
        transfers = made
    }

    func run(_ count: Int) async -> Int { Int(transfers_run(transfers, Int32(count))) }

    func close() async { transfers_free(transfers) }
}

extension Optional<String> {
    fileprivate func withOptionalCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let self else { return body(nil) }
        return self.withCString(body)
    }
}
