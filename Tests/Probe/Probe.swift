import Foundation
import HostileServer

/// Measurements and crash tests that need their own process.
///
/// | arguments | runs |
/// |---|---|
/// | none, or a number | ``ManyRequests`` |
/// | `hostile`, `hostile --rounds N` | ``HostileTable``, ``HostileRounds`` |
/// | `play ENGINE NAME …` | ``HostileRun`` |
/// | `exit`, `fork`, `forkandgoon` | ``Endings`` |
/// | `service N` | ``Service`` |
/// | `shortage` | ``Shortage`` |
/// | `drawn FIRST COUNT CALLS` | ``DrawnCalls`` |
/// | `lostpipe URL AUTHORITY` | ``LostPipe`` |
/// | `isolation elsewhere`, `isolation main` | ``Isolation`` |
/// | `fetch none URL …`, `fetch environment URL …` | ``Fetches`` |
/// | `transfer down\|up\|form SERVER FILE [SECONDS [AUTHORITY]]` | ``Transfer`` |
/// | `storage write\|share\|full FOLDER [N …]` | ``StorageRun`` |
/// | `download URL FILE [quiet\|N]` | ``Downloading`` |
/// | `waits SERVER N` | ``Waits`` |
/// | `extremes PART` | ``Extremes`` |
/// | `events COUNT ROUNDS` | ``EventStreams`` |
/// | `body BYTES` | ``EndlessBody`` |
/// | `tokens ROUNDS`, `tokens rounds\|calls SERVER FILE …` | ``TokenRun`` |
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
        case ("events", 3): try await EventStreams.run(Int(arguments[1]) ?? 1, rounds: Int(arguments[2]) ?? 1)
        case ("tokens", 2), ("tokens", 5...):
            try await TokenRun.run(Array(arguments[(arguments.count == 2 ? 0 : 1)...]))
        case ("body", 2): try await EndlessBody.run(Int(arguments[1]) ?? 1)
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

/// Prints a line without buffering, because its reader does not wait for the end, and the process may crash.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
