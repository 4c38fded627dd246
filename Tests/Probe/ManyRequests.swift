import APIBaseKit
import LoopbackServer

/// Makes thousands of requests, each with its own object. Prints the number of accepted connections, and the allocated
/// memory after the first thousand and at the end, in KiB.
enum ManyRequests {
    static func run(_ rounds: Int) async throws {
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 4_096)) }
        var first = 0
        for round in 1...rounds {
            let call = Call()
            call.baseURL = server.url
            _ = try await call.value()
            if round == 1_000 { first = Resources.allocatedKiB }
        }
        print("connections: \(server.acceptedConnections)")
        print("allocated after 1,000 requests, KiB: \(first)")
        print("allocated after \(rounds) requests, KiB: \(Resources.allocatedKiB)")
        server.stop()
    }
}

final class Call: APIBase, Request {
    func start() -> AnyPublisher<Data, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).map(\.data).eraseToAnyPublisher()
    }
}
