// Runs the cases of the Autobahn test suite: autobahn PORT [FIRST [LAST]]. See the README beside the package.

import APIBaseSockets

/// The suite's server, which tests a client that sends back what it gets.
class SuiteAPI: JSONAPI {
    static let port = CommandLine.arguments.dropFirst().first ?? "9001"
    private let address = URL(string: "http://127.0.0.1:\(port)")

    override var baseURL: URL? {
        get { address }
        set {}
    }
}

final class Case: SuiteAPI, SocketRequest {
    typealias Incoming = SocketMessage
    typealias Outgoing = SocketMessage
    let messageLimit = 64 << 20

    init(_ path: String, number: Int? = nil) {
        var query: QueryItems = ["agent": "APIBaseKit"]
        if let number { query["case"] = "\(number)" }
        super.init(.get(EndpointPath(path), query: query))
    }
}

/// The text of the first message of a socket.
func text(_ path: String, number: Int? = nil) async throws -> String? {
    for try await message in try await Case(path, number: number).connect().messages { return message.text }
    return nil
}

let count = try await text("/getCaseCount").flatMap { Int($0) } ?? 0
let bounds = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
let (first, last) = (bounds.first ?? 1, bounds.dropFirst().first ?? count)
var results: [String: Int] = [:]
for number in first...last {
    do {
        let socket = try await Case("/runCase", number: number).connect()
        for try await message in socket.messages { try await socket.send(message) }
    } catch is SocketFailure {
        // The suite breaks the protocol, and looks at the end.
    }
    let status = try await text("/getCaseStatus", number: number) ?? "none"
    results[status, default: 0] += 1
    if !status.contains("OK") { print("case \(number): \(status)") }
}
_ = try? await text("/updateReports")
print(results.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
