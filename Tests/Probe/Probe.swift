import APIBaseKit
import DemoServer

/// Makes thousands of requests, each with an object of its own, in a process of its own, and prints what that cost:
/// the connections the server accepted, and the resident memory after the first thousand and at the end, in KiB.
@main struct Probe {
    static func main() async throws {
        #if os(Linux)
        switch CommandLine.arguments.dropFirst().first {
        case "exit": try Endings.exitWithRequestsRunning()
        case "fork": return try await Endings.forkWithRequestsRunning()
        default: break
        }
        #endif
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5_000
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 4_096)) }
        var first = 0
        for round in 1...rounds {
            let call = Call()
            call.baseURL = server.url
            _ = try await call.value()
            if round == 1_000 { first = residentKiB }
        }
        print("connections: \(server.acceptedConnections)")
        print("resident memory after 1,000 requests, KiB: \(first)")
        print("resident memory after \(rounds) requests, KiB: \(residentKiB)")
        server.stop()
    }

    /// The resident memory of this process, from `/proc/self/status` (proc(5)).
    private static var residentKiB: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}

final class Call: APIBase, Request {
    func start() -> AnyPublisher<Data, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).map(\.data).eraseToAnyPublisher()
    }
}
