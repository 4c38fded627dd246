import APIBaseRecording
import APIBaseSockets
import Foundation
import TestTiers
import Testing

/// The files of recorded sockets.
@Suite(.limited) struct SocketRecordingTests {
    private let feed = RecordedFeed()

    @Test func `A socket is recorded as Chrome exports it, without frames and without secrets`() async throws {
        feed.stubServer()
        let start = Date().timeIntervalSince1970
        let bytes = Data([0, 255]) + RecordedFeed.canary.utf8
        try await feed.record { try await feed.talk(.text("hello \(RecordedFeed.canary)"), .data(bytes)) }
        let entry = try #require(feed.entries.first)
        #expect(try feed.entries.count == 1)
        #expect(entry["_resourceType"] == "websocket")
        #expect(entry["response"]?["status"] == 101)
        #expect(entry["response"]?["content"]?["text"] == "")
        let messages = try feed.messages
        #expect(messages.map { $0["type"] } == ["receive", "send", "receive", "send", "receive"])
        #expect(messages.map { $0["opcode"] } == [1, 1, 1, 2, 2])
        #expect(messages[0]["data"] == #"{"text": "Welcome", "token": "REDACTED"}"#)
        #expect(messages[1]["data"] == "hello REDACTED")
        #expect(messages[2]["data"] == "echo of hello REDACTED")
        #expect(messages[3]["data"] == .string((Data([0, 255]) + "REDACTED".utf8).base64EncodedString()))
        for message in messages {
            guard case .object(let fields) = message else { throw RecordedFeed.Missing() }
            #expect(fields.keys.sorted() == ["data", "opcode", "time", "type"])
            guard case .number(let time)? = message["time"] else { throw RecordedFeed.Missing() }
            #expect((start...start + 600).contains(time))
        }
        let text = try String(contentsOf: feed.folder.file(), encoding: .utf8)
        for secret in ["c4n4ry", "s3cr3t", "YzRuNHJ5", "czNjcjN0"] { #expect(!text.contains(secret)) }
    }

    @Test func `The bytes of a switched connection are not recorded`() async throws {
        let recording = try Recording(file: feed.folder.file(), over: FakeNetwork { _ in .init("frames", status: 101) })
        _ = try await recording.run {
            await #expect(throws: SocketFailure.self) { try await Feed(RecordedFeed.canary).connect() }
        }
        #expect(try feed.entries.map { $0["response"]?["content"]?["text"] } == [""])
        #expect(try feed.entries.map { $0["_webSocketMessages"] } == [[]])
    }

    @Test func `An entry without a socket has none of the fields of one`() async throws {
        feed.stubs.on().answer(.text("ordinary"))
        _ = try await feed.record { try await Fetch().value() }
        let text = try String(contentsOf: feed.folder.file(), encoding: .utf8)
        #expect(!text.contains("_resourceType") && !text.contains("_webSocketMessages"))
    }

    @Test func `A socket that is open when the file is written is recorded as far as it has come`() async throws {
        feed.stubServer()
        let socket = try await feed.record {
            let socket = try await Feed(RecordedFeed.canary).connect()
            for try await _ in socket.messages { break }
            return socket
        }
        withExtendedLifetime(socket) {}
        #expect(try feed.messages.count == 1)
    }
}
