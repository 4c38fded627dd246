import APIBaseRecording
import APIBaseSockets
import Basics
import Foundation
import TestTiers
import Testing

/// Sockets that are recorded over stubs, and replayed.
@Suite(.limited) struct SocketRecordingTests {
    private static let canary = "c4n4ry-s3cr3t"
    private let folder = TemporaryFolder()
    private let stubs = Stubs()

    /// A server that greets, wants a login, and answers each message.
    private func stubServer(rounds: Int = 2) {
        stubs.on(.socket, "/feed").socket(subprotocol: "v1") { socket in
            socket.send(#"{"text": "Welcome", "token": "\#(Self.canary)"}"#)
            for _ in 0..<rounds {
                let message = try await socket.receive()
                socket.send(message.text.map { .text("echo of \($0)") } ?? message)
            }
        }
    }

    @discardableResult
    private func record<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await Recording(file: folder.file(), over: stubs).run(body)
    }

    private func replay<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await Recording(file: folder.file(), mode: .replay).run(body)
    }

    /// Sends the messages, one after each that arrives, and returns what has arrived.
    @discardableResult
    private func talk(_ messages: SocketMessage..., as token: String = canary) async throws -> [SocketMessage] {
        let socket = try await Feed(token).connect()
        #expect(socket.subprotocol == nil || socket.subprotocol == "v1")
        var (rest, arrived) = (messages[...], [SocketMessage]())
        for try await message in socket.messages {
            arrived.append(message)
            if let next = rest.popFirst() { try await socket.send(next) }
        }
        return arrived
    }

    private var entries: [JSONValue] {
        get throws {
            let file = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.file()))
            guard case .array(let entries)? = file["log"]?["entries"] else { return [] }
            return entries
        }
    }

    // MARK: The file

    @Test func `A socket is recorded as Chrome exports it, without frames and without secrets`() async throws {
        stubServer()
        let start = Date().timeIntervalSince1970
        try await record { try await talk(.text("hello \(Self.canary)"), .data(Data([0, 255]) + Self.canary.utf8)) }
        let entry = try #require(entries.first)
        #expect(try entries.count == 1)
        #expect(entry["_resourceType"] == "websocket")
        #expect(entry["response"]?["status"] == 101)
        #expect(entry["response"]?["content"]?["text"] == "")
        guard case .array(let messages)? = entry["_webSocketMessages"] else { throw Missing() }
        #expect(messages.map { $0["type"] } == ["receive", "send", "receive", "send", "receive"])
        #expect(messages.map { $0["opcode"] } == [1, 1, 1, 2, 2])
        #expect(messages[0]["data"] == #"{"text": "Welcome", "token": "REDACTED"}"#)
        #expect(messages[1]["data"] == "hello REDACTED")
        #expect(messages[2]["data"] == "echo of hello REDACTED")
        #expect(messages[3]["data"] == .string((Data([0, 255]) + "REDACTED".utf8).base64EncodedString()))
        for message in messages {
            guard case .object(let fields) = message else { throw Missing() }
            #expect(fields.keys.sorted() == ["data", "opcode", "time", "type"])
            guard case .number(let time)? = message["time"] else { throw Missing() }
            #expect((start...start + 600).contains(time))
        }
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        for secret in ["c4n4ry", "s3cr3t", "YzRuNHJ5", "czNjcjN0"] { #expect(!text.contains(secret)) }
    }

    private struct Missing: Error {}

    @Test func `The bytes of a switched connection are not recorded`() async throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork { _ in .init("frames", status: 101) })
        _ = try await recording.run {
            await #expect(throws: SocketFailure.self) { try await Feed(Self.canary).connect() }
        }
        #expect(try entries.map { $0["response"]?["content"]?["text"] } == [""])
        #expect(try entries.map { $0["_webSocketMessages"] } == [[]])
    }

    @Test func `An entry without a socket has none of the fields of one`() async throws {
        stubs.on().answer(.text("ordinary"))
        _ = try await record { try await Fetch().value() }
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(!text.contains("_resourceType") && !text.contains("_webSocketMessages"))
    }

    @Test func `A socket that is open when the file is written is recorded as far as it has come`() async throws {
        stubServer()
        let socket = try await record {
            let socket = try await Feed(Self.canary).connect()
            for try await _ in socket.messages { break }
            return socket
        }
        withExtendedLifetime(socket) {}
        guard case .array(let messages)? = try entries.first?["_webSocketMessages"] else { throw Missing() }
        #expect(messages.count == 1)
    }

    // MARK: Replay

    @Test func `A replayed socket receives what was recorded, and sends the same, with another token`() async throws {
        stubServer()
        let login = #"{"token": "\#(Self.canary)", "room": 7}"#
        let recorded = try await record { try await talk(.text(login), .data(Data([1, 2]))) }
        let other = #"{"room":7,"token":"mine-is-another"}"#
        let replayed = try await replay { try await talk(.text(other), .data(Data([1, 2])), as: "mine-is-another") }
        #expect(replayed.count == 3)
        #expect(replayed[0] == .text(#"{"text": "Welcome", "token": "REDACTED"}"#))
        #expect(replayed[1] == .text(#"echo of {"token": "REDACTED", "room": 7}"#))
        #expect(replayed[2] == recorded[2])
    }

    /// A message of a client, and what the error says of it.
    static let others: [(SocketMessage, String)] = [
        (.text(#"{"room": 8, "token": "any-secret"}"#), "message.room is 8, not 7"),
        (.text(#"{"room": 7, "token": "any-secret", "b": "any-secret"}"#), "message.b is “REDACTED”, not nothing"),
        (.text("any-secret"), "message is “REDACTED”, not “{"),
        (.data(Data([1, 2])), "message is “Base64 AQI=”, not “{"),
    ]

    @Test(arguments: others)
    func `A replayed socket fails when the client sends another message than the recorded`(
        _ message: SocketMessage,
        _ difference: String
    ) async throws {
        stubServer()
        try await record { try await talk(.text(#"{"token": "\#(Self.canary)", "room": 7}"#), .text("end")) }
        let error = await #expect(throws: RecordingError.self) {
            try await replay { try await talk(message, as: "any-secret") }
        }
        let text = try #require(error?.localizedDescription)
        let place = "The socket of GET https://feed.example/feed differs at message 2 of its entry in test.har: "
        #expect(text.hasPrefix(place), "\(text)")
        #expect(text.contains(difference), "\(text)")
        #expect(!text.contains("any-secret") && !text.contains(Self.canary))
    }

    @Test func `A refused handshake is replayed like any other response`() async throws {
        stubs.on(.socket, "/feed").answer(.json(#"{"detail": "no"}"#, status: 403))
        for run in [record, replay] as [(() async throws -> RequestError?) async throws -> RequestError?] {
            let error = try await run { await #expect(throws: RequestError.self) { try await talk() } }
            guard case .httpFailure(let failure)? = error else { throw Missing() }
            #expect(failure.statusCode == 403)
        }
    }

    @Test func `Each connection of a socket that connects again is an entry, and is replayed`() async throws {
        let count = Locked(0)
        stubs.on(.socket, "/feed").socket { socket in
            let number = count.withLock { count in
                count += 1
                return count
            }
            socket.send("connection \(number)")
            if number < 3 { socket.cut() } else { try await socket.expect("done") }
        }
        let recorded = try await record { try await reconnecting() }
        #expect(recorded == ["connection 1", "connection 2", "connection 3"])
        #expect(try entries.map { $0["_webSocketMessages"]?[0]?["data"] } == recorded.map { .string($0) })
        #expect(try await replay { try await reconnecting() } == recorded)
    }

    private func reconnecting() async throws -> [String] {
        let socket = try await LastingFeed().connect()
        var texts: [String] = []
        for try await text in socket.messages {
            texts.append(text)
            if texts.count == 3 {
                try await socket.send("done")
                socket.close()
            }
        }
        return texts
    }

    // MARK: Files of browsers

    @Test func `A socket that Chrome has exported is replayed, without what is no message`() async throws {
        let file = try folder.write(
            #"""
            {"log": {"entries": [{
              "_resourceType": "websocket", "_initiator": {"type": "script"},
              "request": {"method": "GET", "url": "wss://feed.example/feed", "headers": []},
              "response": {"status": 101, "statusText": "Switching Protocols", "_error": null,
                "headers": [{"name": "Sec-WebSocket-Protocol", "value": "v1"}], "content": {"size": 0}},
              "_webSocketMessages": [
                {"type": "receive", "time": 1772359200.123456, "opcode": 1, "data": "raw {\"token\":\"chrome-secret\"}"},
                {"type": "error", "time": 1772359200.2, "opcode": -1, "data": "failed"},
                {"type": "receive", "time": 1772359200.3, "opcode": 9, "data": "a ping"},
                {"type": "receive", "time": 1772359200.3, "opcode": 1}, "odd", null,
                {"type": "send", "opcode": 1, "data": "{\"token\": \"chrome-secret\", \"id\": 1}"},
                {"type": "receive", "time": "soon", "opcode": 2, "data": "AP8="},
                {"type": "receive", "data": "a text"},
                {"type": "receive", "opcode": 2, "data": "A"}
              ]}]}}
            """#
        )
        let arrived = try await replay { try await talk(.text(#"{"id":1,"token":"mine"}"#)) }
        let raw = SocketMessage.text(#"raw {"token":"chrome-secret"}"#)
        #expect(arrived == [raw, .data(Data([0, 255])), .text("a text"), .text("A")])
        // Adding to the file keeps the messages, and removes their secrets.
        let recording = try Recording(file: file, mode: .new, over: FakeNetwork("new"))
        #expect(try await recording.run { try await Fetch().value() } == "new")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("_webSocketMessages") && text.contains("a text") && !text.contains("chrome-secret"))
    }
}

private class FeedAPI: JSONAPI {
    init(_ token: String) {
        super.init(.get("/feed"))
        baseURL = URL(string: "https://feed.example")
        authorization = .bearer(token)
        headers["Cookie"] = "sid=\(token)"
    }
}

private final class Feed: FeedAPI, SocketRequest {
    typealias Incoming = SocketMessage
    typealias Outgoing = SocketMessage
}

/// A socket that connects again after any end.
private final class LastingFeed: FeedAPI, SocketRequest {
    typealias Incoming = String
    typealias Outgoing = String
    let reconnect = RetryPolicy(attempts: 3, backoff: .constant(.milliseconds(1)))

    init() { super.init("no secret") }

    func reconnects(after close: SocketClose) -> Bool { true }
}
