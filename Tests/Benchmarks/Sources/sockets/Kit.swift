import APIBaseSockets

/// A socket of this kit.
final class Kit<Value: Codable & Sendable>: JSONAPI, SocketRequest {
    typealias Incoming = Value
    typealias Outgoing = Value
    let compressesMessages = false
    private let address: URL?

    override var baseURL: URL? {
        get { address }
        set {}
    }

    init(_ path: String, port: Int) {
        address = URL(string: "http://127.0.0.1:\(port)")
        super.init(.get(EndpointPath(path)))
    }

    static func receive(port: Int) async throws {
        var count = 0
        for try await _ in try await Kit("/send", port: port).connect().messages { count += 1 }
        precondition(count == Job.messages, "\(count) messages have come.")
    }

    static func send(_ value: Value, port: Int) async throws {
        let socket = try await Kit("/count", port: port).connect()
        for _ in 0..<Job.messages { try await socket.send(value) }
        for try await _ in socket.messages { return }
    }
}

/// What the messages are as JSON.
struct Event: Codable, Sendable {
    let id: Int
    let text: String
}
