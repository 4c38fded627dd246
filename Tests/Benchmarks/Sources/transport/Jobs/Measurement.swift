/// What a copy of this process has measured.
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
    var peakMebibytes: Double { Double(peakBytes) / 1_048_576 }
}
