import APIBaseRecording
import APIBaseSockets
import Basics
import Foundation
import TestTiers
import Testing

/// Sockets that are replayed from a file.
@Suite(.limited) struct SocketReplayTests {
    private let feed = RecordedFeed()

    @Test func `A replayed socket receives what was recorded, and sends the same, with another token`() async throws {
        feed.stubServer()
        let login = #"{"token": "\#(RecordedFeed.canary)", "pin": 7654321}"#
        let recorded = try await feed.record { try await feed.talk(.text(login), .data(Data([1, 2]))) }
        let other = #"{"pin":1234567,"token":"mine-is-another"}"#
        let replayed = try await feed.replay {
            try await feed.talk(.text(other), .data(Data([1, 2])), as: "mine-is-another")
        }
        #expect(replayed.count == 3)
        #expect(replayed[0] == .text(#"{"text": "Welcome", "token": "REDACTED"}"#))
        #expect(replayed[1] == .text(#"echo of {"token": "REDACTED", "pin": 0}"#))
        #expect(replayed[2] == recorded[2])
    }

    /// A message of a client, and what the error says of it.
    static let others: [(SocketMessage, String)] = [
        (.text(#"{"room": 8, "token": "any-secret"}"#), "message.room is 8, not 7"),
        (.text(#"{"room": 7, "token": "any-secret", "b": "any-secret"}"#), "message.b is “REDACTED”, not nothing"),
        (.text("any-secret"), "message is “REDACTED”, not “{"),
        (.text("password=an0ther-one"), "message is “password=REDACTED”, not “{"),
        (.data(Data([1, 2])), "message is “Base64 AQI=”, not “{"),
    ]

    @Test(arguments: others)
    func `A replayed socket fails when the client sends another message than the recorded`(
        _ message: SocketMessage,
        _ difference: String
    ) async throws {
        feed.stubServer()
        let login = #"{"token": "\#(RecordedFeed.canary)", "room": 7}"#
        try await feed.record { try await feed.talk(.text(login), .text("end")) }
        let error = await #expect(throws: RecordingError.self) {
            try await feed.replay { try await feed.talk(message, as: "any-secret") }
        }
        let text = try #require(error?.localizedDescription)
        let place = "The socket of GET https://feed.example/feed differs at message 2 of its entry in test.har: "
        #expect(text.hasPrefix(place), "\(text)")
        #expect(text.contains(difference), "\(text)")
        #expect(!text.contains("any-secret") && !text.contains("an0ther") && !text.contains(RecordedFeed.canary))
    }

    @Test func `A refused handshake is replayed like any other response`() async throws {
        feed.stubs.on(.socket, "/feed").answer(.json(#"{"detail": "no"}"#, status: 403))
        for run in [feed.record, feed.replay] as [(() async throws -> RequestError?) async throws -> RequestError?] {
            let error = try await run { await #expect(throws: RequestError.self) { try await feed.talk() } }
            guard case .httpFailure(let failure)? = error else { throw RecordedFeed.Missing() }
            #expect(failure.statusCode == 403)
        }
    }

    @Test func `Each connection of a socket that connects again is an entry, and is replayed`() async throws {
        let count = Locked(0)
        feed.stubs.on(.socket, "/feed").socket { socket in
            let number = count.withLock { count in
                count += 1
                return count
            }
            socket.send("connection \(number)")
            if number < 3 { socket.cut() } else { try await socket.expect("done") }
        }
        let recorded = try await feed.record { try await reconnecting() }
        #expect(recorded == ["connection 1", "connection 2", "connection 3"])
        #expect(try feed.entries.map { $0["_webSocketMessages"]?[0]?["data"] } == recorded.map { .string($0) })
        #expect(try await feed.replay { try await reconnecting() } == recorded)
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
        let file = try feed.folder.write(
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
                {"type": "receive", "opcode": -1, "data": "unknown"},
                {"type": "receive", "time": 1772359200.3, "opcode": 1}, "odd", null,
                {"type": "send", "opcode": 1, "data": "{\"token\": \"chrome-secret\", \"id\": 1}"},
                {"type": "receive", "time": "soon", "opcode": 2, "data": "AP8="},
                {"type": "receive", "data": "a text"},
                {"type": "receive", "opcode": 2, "data": "A"}
              ]}]}}
            """#
        )
        let arrived = try await feed.replay { try await feed.talk(.text(#"{"id":1,"token":"mine"}"#)) }
        let raw = SocketMessage.text(#"raw {"token":"chrome-secret"}"#)
        #expect(arrived == [raw, .data(Data([0, 255])), .text("a text"), .text("A")])
        // Adding to the file keeps the messages, and removes their secrets.
        let recording = try Recording(file: file, mode: .new, over: FakeNetwork("new"))
        #expect(try await recording.run { try await Fetch().value() } == "new")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("_webSocketMessages") && text.contains("a text") && !text.contains("chrome-secret"))
    }
}
