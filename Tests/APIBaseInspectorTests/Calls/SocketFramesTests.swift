import APIBaseKit
import APIBaseRecording
import APIBaseSockets
import APIBaseStubs
import Basics
import Foundation
import HostileServer
import TestTiers
import Testing

@testable import APIBaseInspector

/// The messages of sockets, as the page gets them.
@Suite(.limited) struct SocketFramesTests {
    private static let canary = "c4n4ry-s3cr3t"
    private let feed = Feed()
    private let stubs = Stubs()

    private struct Missing: Error {}

    /// The last attempt of the only call, as it is sent to the page.
    private func attempt() throws -> JSONValue {
        let data = try JSONEncoder().encode(feed.calls)
        guard case .array(let attempts)? = try JSONDecoder().decode(JSONValue.self, from: data)[0]?["attempts"],
            let last = attempts.last
        else { throw Missing() }
        return last
    }

    private var newest: [JSONValue] {
        guard case .array(let newest)? = try? attempt()["frames"]?["newest"] else { return [] }
        return newest.compactMap { $0["message"] }
    }

    /// Waits until the page has this number of messages, and returns them.
    private func frames(_ count: Int) async throws -> [JSONValue] {
        #expect(try await holds { newest.count == count })
        return newest
    }

    @Test func `The inspector shows the messages of a socket while it runs, without secrets`() async throws {
        stubs.on(.socket, "/feed").socket { socket in
            socket.send(#"{"text": "Welcome", "token": "\#(Self.canary)"}"#)
            let bytes = try await socket.receive()
            try await socket.receive()
            socket.send(bytes)
            await socket.waitForEnd()
        }
        try await stubs.run {
            let socket = try await Chat(feed, token: Self.canary).connect()
            for try await message in socket.messages {
                guard message.text != nil else { break }
                try await socket.send(.data(Data([0, 255]) + Self.canary.utf8))
                try await socket.send(.text("I am \(Self.canary)"))
            }
        }
        let frames = try await frames(4)
        #expect(frames.map { $0["type"] } == ["receive", "send", "send", "receive"])
        #expect(frames.map { $0["opcode"] } == [1, 2, 1, 2])
        #expect(frames[0]["data"] == #"{"text": "Welcome", "token": "REDACTED"}"#)
        #expect(frames[1]["data"] == .string((Data([0, 255]) + "REDACTED".utf8).base64EncodedString()))
        let sizes = (0..<4).map { try? attempt()["frames"]?["newest"]?[$0]?["size"] }
        #expect(sizes == [45, 15, 18, 15])
        #expect(frames[2]["data"] == "I am REDACTED")
        let text = String(decoding: try JSONEncoder().encode(feed.calls), as: UTF8.self)
        for secret in ["c4n4ry", "s3cr3t", "YzRuNHJ5", "czNjcjN0"] { #expect(!text.contains(secret)) }
        try await feed.waitForTheLast()
    }

    @Test func `The inspector shows the head of a socket that runs`() async throws {
        stubs.on(.socket, "/feed").socket { socket in
            socket.send("Welcome")
            await socket.waitForEnd()
        }
        let socket = try await stubs.runUnchecked { try await Chat(feed).connect() }
        _ = try await frames(1)
        #expect(try attempt()["entry"]?["response"]?["status"] == 101)
        #expect(feed.calls.map(\.state) == [.running])
        socket.close()
        for try await _ in socket.messages {}
        try await feed.waitForTheLast()
    }

    @Test func `The inspector keeps the newest 200 messages of a socket, and the beginning of each`() async throws {
        let long = #"{"ab":"\#(String(repeating: "ü", count: 100_000))","token":"\#(Self.canary)"}"#
        stubs.on(.socket, "/feed").socket { socket in
            for number in 1...204 { socket.send("\(number)") }
            socket.send(long)
        }
        try await stubs.run { for try await _ in try await Chat(feed).connect().messages {} }
        #expect(try await holds { (try? attempt()["frames"]?["dropped"]) == 5 })
        let frames = try await frames(200)
        #expect(frames[0]["data"] == "6")
        guard case .string(let data)? = frames[199]["data"] else { throw Missing() }
        #expect(data.utf8.count == 1_023 && long.hasPrefix(data))
        #expect(try attempt()["frames"]?["newest"]?[199]?["size"] == .integer(Int64(long.utf8.count)))
    }

    @Test func `Messages that wait for the inspector are counted when newer ones take their place`() throws {
        var waiting = SocketFrames()
        for number in 1...205 {
            let message = HAR.WebSocketMessage(.text("\(number)"), isSent: false)
            waiting.append(SocketFrames.Frame(message: message, size: 3))
        }
        let frames = SocketFrames().appending(waiting).appending(waiting)
        let shown = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(frames))
        #expect(shown["dropped"] == 210)
        #expect(frames.newest.map(\.message.data) == (6...205).map { "\($0)" })
    }

    @Test func `Each connection of a socket shows its own messages`() async throws {
        stubs.on(.socket, "/feed").answer(
            inOrder: .status(503),
            .socket { $0.send("after the retry") },
            then: .fail
        )
        let chat = Chat(feed)
        chat.retry = RetryPolicy(attempts: 2)
        try await stubs.run { for try await _ in try await chat.connect().messages {} }
        #expect(try await frames(1).map { $0["data"] } == ["after the retry"])
        #expect(feed.calls.first?.attempts.count == 2)
        #expect(feed.calls.first?.attempts.first?.frames == nil)
    }
}

private class ChatAPI: JSONAPI {
    private let feed: Feed

    init(_ feed: Feed, token: String = "no secret") {
        self.feed = feed
        super.init(.get("/feed"))
        baseURL = URL(string: "https://chat.example")
        authorization = .bearer(token)
    }

    override func report(_ event: CallEvent) { feed.report(event) }
}

private final class Chat: ChatAPI, SocketRequest {
    typealias Incoming = SocketMessage
    typealias Outgoing = SocketMessage
}
