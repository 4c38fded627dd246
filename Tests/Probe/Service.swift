#if os(Linux)
import APIBaseKit
import LoopbackServer
import Foundation

/// A service with 32 concurrent clients. For each, it makes three calls at once and decodes the responses. Prints
/// `ready`, and at the end the number of calls.
enum Service {
    private struct Item: Codable, Sendable {
        var id: Int
        var title: String
    }

    private final class ItemsRequest: APIBase, Request {
        func start() -> AnyPublisher<[Item], any Error> {
            sendRequest()
                .validateStatusCode(in: 200..<300)
                .map(\.data)
                .decode(type: [Item].self, decoder: JSONDecoder())
                .eraseToAnyPublisher()
        }
    }

    static func run(rounds: Int) async throws {
        let items = (0..<60).map { Item(id: $0, title: "A title that is as long as titles are, number \($0)") }
        let body = try JSONEncoder().encode(items)
        let server = try HTTPServer { _ in
            ServerResponse(headers: HTTPFields(["Content-Type": "application/json"]), body: .data(body))
        }
        let url = server.url
        say("ready")
        let calls = try await withThrowingTaskGroup(of: Int.self) { clients in
            for _ in 0..<32 {
                clients.addTask {
                    var calls = 0
                    for _ in 0..<rounds {
                        calls += try await withThrowingTaskGroup(of: Int.self) { group in
                            for _ in 0..<3 {
                                group.addTask {
                                    let request = ItemsRequest()
                                    request.baseURL = url
                                    return try await request.value().count == items.count ? 1 : 0
                                }
                            }
                            return try await group.reduce(0, +)
                        }
                    }
                    return calls
                }
            }
            return try await clients.reduce(0, +)
        }
        say("calls: \(calls)")
        server.stop()
    }
}
#endif
