import APIBaseRecording
import APIBaseSockets
import Foundation
import Testing

/// A socket over stubs, its recording, and what replays that.
struct RecordedFeed {
    static let canary = "c4n4ry-s3cr3t"
    let folder = TemporaryFolder()
    let stubs = Stubs()

    /// A server that greets, wants a login, and answers each message.
    func stubServer(rounds: Int = 2) {
        stubs.on(.socket, "/feed").socket(subprotocol: "v1") { socket in
            socket.send(#"{"text": "Welcome", "token": "\#(Self.canary)"}"#)
            for _ in 0..<rounds {
                let message = try await socket.receive()
                socket.send(message.text.map { .text("echo of \($0)") } ?? message)
            }
        }
    }

    @discardableResult
    func record<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await Recording(file: folder.file(), over: stubs).run(body)
    }

    func replay<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await Recording(file: folder.file(), mode: .replay).run(body)
    }

    /// Sends the messages, one after each that arrives, and returns what has arrived.
    @discardableResult
    func talk(_ messages: SocketMessage..., as token: String = canary) async throws -> [SocketMessage] {
        let socket = try await Feed(token).connect()
        #expect(socket.subprotocol == nil || socket.subprotocol == "v1")
        var (rest, arrived) = (messages[...], [SocketMessage]())
        for try await message in socket.messages {
            arrived.append(message)
            if let next = rest.popFirst() { try await socket.send(next) }
        }
        return arrived
    }

    var entries: [JSONValue] {
        get throws {
            let file = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.file()))
            guard case .array(let entries)? = file["log"]?["entries"] else { return [] }
            return entries
        }
    }

    struct Missing: Error {}

    /// The messages of the only entry.
    var messages: [JSONValue] {
        get throws {
            guard case .array(let messages)? = try entries.first?["_webSocketMessages"] else { throw Missing() }
            return messages
        }
    }
}

class FeedAPI: JSONAPI {
    let subprotocols = ["v1"]

    init(_ token: String) {
        super.init(.get("/feed"))
        baseURL = URL(string: "https://feed.example")
        authorization = .bearer(token)
        headers["Cookie"] = "sid=\(token)"
    }
}

final class Feed: FeedAPI, SocketRequest {
    typealias Incoming = SocketMessage
    typealias Outgoing = SocketMessage
}

/// A socket that connects again after any end.
final class LastingFeed: FeedAPI, SocketRequest {
    typealias Incoming = String
    typealias Outgoing = String
    let reconnect = RetryPolicy(attempts: 3, backoff: .constant(.milliseconds(1)))

    init() { super.init("no secret") }

    func reconnects(after close: SocketClose) -> Bool { true }
}
