#if os(Linux) || os(Android)
/// The engines of a session: one for each of its threads.
struct CurlEngines: Sendable {
    private let engines: [CurlEngine]
    /// What each takes before the next one is asked.
    private let room: Int

    init(_ configuration: CurlSession.Configuration) {
        room = max(1, min(configuration.connectionsPerHost, configuration.connections))
        engines = (0..<max(1, configuration.threads)).map { _ in CurlEngine(configuration) }
    }

    /// The engine for the next exchange: the first that has room, so that connections are used again, or the one with
    /// the least to do.
    func next() -> CurlEngine {
        guard engines.count > 1 else { return engines[0] }
        let counts = engines.map(\.count)
        let least = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        return engines[counts.firstIndex { $0 < room } ?? least]
    }

    /// Exchanges that have been started and have not ended.
    var count: Int { engines.reduce(0) { $0 + $1.count } }

    /// Refuses new exchanges from now on.
    func close() {
        for engine in engines { engine.close() }
    }

    /// Refuses new exchanges, and waits until all others have ended and all connections are closed.
    func shutdown() async {
        close()
        for engine in engines {
            await withCheckedContinuation { continuation in
                engine.close { continuation.resume() }
            }
        }
    }
}
#endif
