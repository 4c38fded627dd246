import Foundation

/// What one copy of this process does: one contender, one scenario, one round.
struct Job: Sendable, Codable {
    let contender: Contender
    let url: URL
    /// Bytes of each answer's body.
    let length: Int
    /// The certificates to trust.
    let authorities: URL?
    let isHTTP2: Bool
    let concurrency: Int
    /// Connections that may be open at a time.
    let connections: Int
    /// Requests before those that count.
    let warmUp: Int
    let count: Int
}

/// What the copy has measured.
struct Measurement: Sendable, Codable {
    let count: Int
    /// Requests that did not bring what they should.
    let failures: Int
    let seconds: Double
    /// User's and system's time of the process, of all its threads.
    let cpuSeconds: Double
    /// The most memory the process had, in bytes.
    let peakBytes: Int
    /// Connections opened, those of the warm-up included; the original fills it in.
    var connections = 0

    var rate: Double { Double(count) / seconds }
    var cpuPerTenThousand: Double { cpuSeconds / Double(count) * 10_000 }
}

extension Job {
    /// Does the job.
    func run() async throws -> Measurement {
        let client = try makeClient()
        var failures = await client.run(warmUp)
        let before = Usage.now
        let clock = ContinuousClock()
        let start = clock.now
        failures += await client.run(count)
        let duration = (clock.now - start).components
        let after = Usage.now
        await client.close()
        return Measurement(
            count: count,
            failures: failures,
            seconds: Double(duration.seconds) + Double(duration.attoseconds) / 1e18,
            cpuSeconds: after.cpuSeconds - before.cpuSeconds,
            peakBytes: after.peakBytes
        )
    }

    private func makeClient() throws -> any Client {
        switch contender {
        case .c: try CClient(self)
        case .events: CurlEventsClient(self)
        case .response: CurlResponseClient(self)
        case .kit: KitClient(self)
        case .decoding: DecodingClient(self)
        case .async: AsyncClient(self)
        case .futures: FuturesClient(self)
        case .urlSession: URLSessionClient(self)
        }
    }
}
