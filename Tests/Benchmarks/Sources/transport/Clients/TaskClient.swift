import Foundation

/// A contender whose requests are awaited.
protocol TaskClient: Client {
    var job: Job { get }
    /// Sends one request, and returns whether it brought what it should.
    func send() async throws -> Bool
}

extension TaskClient {
    func run(_ count: Int) async -> Int {
        await inLanes(job.concurrency) {
            var failures = 0
            for _ in 0..<count / job.concurrency where await !sendAndReport() { failures += 1 }
            return failures
        }
    }

    private func sendAndReport() async -> Bool {
        do {
            return try await send()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return false
        }
    }
}
