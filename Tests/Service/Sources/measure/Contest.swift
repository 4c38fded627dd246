import AsyncHTTPClient
import Upstream

/// The two services, asked in turns.
enum Contest {
    private static let requests = 1_500
    private static let atATime = 32

    struct Turn {
        var perSecond: Double
        var microseconds: Double
    }

    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = atATime
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    static func run(rounds: Int) async throws {
        let upstream = try Child("upstream")
        let environment = Upstream.environment(port: upstream.port)
        let contenders = [
            ("the kit", try Child("kit", environment: environment)),
            ("AsyncHTTPClient and `JSONDecoder`", try Child("plain", environment: environment)),
        ]
        var turns: [[Turn]] = [[], []]
        // The first round is for the warmth of connections and memory.
        for round in 0...rounds {
            for number in [0, 1].shuffled() {
                let turn = try await turn(of: contenders[number].1)
                if round > 0 { turns[number].append(turn) }
            }
        }
        print("| `/feed` with | requests a second | CPU for a request, µs | peak resident memory, MB |")
        print("|---|---:|---:|---:|")
        for ((name, child), turns) in zip(contenders, turns) {
            let (speed, cost) = (Spread(turns.map(\.perSecond)), Spread(turns.map(\.microseconds)))
            print("| \(name) | \(speed.text(0)) | \(cost.text(0)) | \(Spread([child.peakMegabytes]).median.text(0)) |")
        }
        let pairs = Array(zip(turns[0], turns[1]))
        let speed = Spread(pairs.map { $0.perSecond / $1.perSecond })
        let cost = Spread(pairs.map { $0.microseconds / $1.microseconds })
        let memory = contenders[0].1.peakMegabytes / contenders[1].1.peakMegabytes
        print("| the kit's, as a multiple | \(speed.text(2)) | \(cost.text(2)) | \(memory.text(2)) |")
        try await client.shutdown()
    }

    private static func turn(of child: Child) async throws -> Turn {
        let (start, before) = (ContinuousClock.now, child.processorSeconds)
        let url = "http://127.0.0.1:\(child.port)/feed"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<requests {
                if number >= atATime { try await group.next() }
                group.addTask {
                    let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
                    guard response.status == .ok else { throw PlainUpstreams.Refused(status: response.status.code) }
                    _ = try await response.body.collect(upTo: 1 << 20)
                }
            }
            try await group.waitForAll()
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let count = Double(requests)
        return Turn(perSecond: count / seconds, microseconds: (child.processorSeconds - before) / count * 1e6)
    }
}
