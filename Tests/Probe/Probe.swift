import HostileServer

/// What can only be measured, or must be survived, in a process of its own.
///
/// Without arguments or with a number: ``ManyRequests``. `hostile`: ``HostileTable``, and with `--rounds` and a number
/// ``HostileRounds``. `play`, an engine and names: ``HostileRun``.
/// `exit`, `fork` and `forkandgoon`: ``Endings``. `service` and a number: ``Service``. `shortage`: ``Shortage``.
/// `drawn`, the number of the first class, of classes, and of the calls of each: ``DrawnCalls``. `lostpipe`, a URL and a file of authorities: ``LostPipe``. `isolation`, `elsewhere` or `main`: ``Isolation``.
/// `fetch`, `none` or `environment`, and URLs: ``Fetches``. `transfer`, `down`, `up` or `form`, a server and a file, and perhaps
/// seconds and an authority: ``Transfer``. `storage`, `write`, `share` or `full`, a
/// folder, and a number or two: ``StorageRun``. `download`, a URL and a file, and perhaps `quiet` or a number: ``Downloading``.
/// `waits`, a server and a number: ``Waits``. `extremes` and a part of them: ``Extremes``.
@main struct Probe {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        #if os(Linux)
        case ("exit", 1): try Endings.exitWithRequestsRunning()
        case ("fork", 1): try await Endings.forkWithRequestsRunning()
        case ("forkandgoon", 1): try await Endings.forkAndGoOn()
        case ("fetch", 3...):
            try await Fetches.run(environment: arguments[1] == "environment", arguments[2...])
        case ("transfer", 4...6):
            try await Transfer.run(Array(arguments[1...]))
        case ("storage", 3...): try await StorageRun.run(Array(arguments[1...]))
        case ("download", 3...4): try await Downloading.run(Array(arguments[1...]))
        case ("service", 2): try await Service.run(rounds: Int(arguments[1]) ?? 1)
        case ("shortage", 1): try await Shortage.run()
        case ("drawn", 4):
            let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
            try await DrawnCalls.run(numbers[0]..<(numbers[0] + numbers[1]), calls: numbers[2])
        case ("lostpipe", 3): try await LostPipe.run(arguments[1], authority: arguments[2])
        case ("hostile", 1): try await HostileTable.run()
        case ("waits", 3):
            try await Waits.run(arguments[1], count: Int(arguments[2]) ?? 1)
        #endif
        #if os(Linux) && !canImport(Combine)
        case ("extremes", 2): await Extremes.run(arguments[1])
        case ("isolation", 2): await Isolation.run(elsewhere: arguments[1] == "elsewhere")
        #endif
        case ("hostile", 3) where arguments[1] == "--rounds": try await HostileRounds.run(Int(arguments[2]) ?? 1)
        case ("play", 3...): try await HostileRun.run(Engine(rawValue: arguments[1]) ?? .urlSession, arguments[2...])
        default: try await ManyRequests.run(arguments.first.flatMap { Int($0) } ?? 5_000)
        }
    }
}
