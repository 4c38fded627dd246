import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What one copy of this process does: one contender, one scenario, one round.
struct Job: Sendable, Codable {
    let contender: Contender
    let url: URL
    /// Bytes of each answer's body.
    let length: Int
    /// The certificates to trust; nil without TLS.
    let authorities: URL?
    let concurrency: Int
    /// Connections that may be open at a time; nil for the client's default.
    let connections: Int?
    /// The threads of `CurlSession`; nil for its default.
    var threads: Int?
    /// Requests before those that count.
    let warmUp: Int
    let count: Int

    var isSecure: Bool { authorities != nil }

    /// Whether every client has its defaults.
    var isDefault: Bool { authorities == nil && connections == nil && threads == nil }

    /// Does the job.
    func run() async throws -> Measurement {
        let client = try makeClient()
        var failures = await client.run(warmUp)
        let before = Usage.now
        let clock = ContinuousClock()
        let start = clock.now
        failures += await client.run(count)
        let seconds = (clock.now - start).inSeconds
        let after = Usage.now
        await client.close()
        return Measurement(
            count: count,
            failures: failures,
            seconds: seconds,
            cpuSeconds: after.cpuSeconds - before.cpuSeconds,
            peakBytes: after.peakBytes
        )
    }

    private func makeClient() throws -> any Client {
        switch contender {
        case .c: try CClient(self)
        case .events: CurlEventsClient(self)
        case .response: ResponseClient(job: self, session: CurlSession(self))
        case .start: StartClient(self)
        case .kit: KitClient(self)
        case .value: ValueClient(self)
        case .executor: ExecutorClient(ValueClient(self))
        case .async: AsyncClient(self)
        case .futures: FuturesClient(self)
        case .urlSession: ResponseClient(job: self, session: URLSession.ephemeral(for: self))
        case .kitDecoded: KitDecodedClient(self)
        case .valueDecoded: ValueDecodedClient(self)
        case .executorDecoded: ExecutorClient(ValueDecodedClient(self))
        case .asyncDecoded: AsyncDecodedClient(self)
        }
    }
}
