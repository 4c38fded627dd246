import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Typed events, from a server that speaks as language models do.
@Suite(.tags(.concurrent), .everySession, .limited) struct EventRequestTests {
    // MARK: The dialects

    /// Data alone, which ends with a mark.
    private static let chat = [
        ": OPENROUTER PROCESSING\n\n", "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hel", "lo\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\" wörld\"}}]}\n\n", ": ping\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n", "data: [DONE]\n\n",
    ]

    /// Typed events, with a call of a tool in pieces.
    private static let messages = [
        typed("message_start", #""message":{"id":"m1"}"#), "event: ping\ndata: {\"type\":\"ping\"}\n\n",
        typed("content_block_delta", #""delta":{"text":"Let me look."}"#),
        typed("content_block_delta", #""delta":{"partial_json":"{\"ci"}"#),
        typed("content_block_delta", #""delta":{"partial_json":"ty\":\"Bonn\"}"}"#), typed("message_stop", #""x":0"#),
    ]

    private static func typed(_ type: String, _ members: String) -> String {
        "event: \(type)\ndata: {\"type\":\"\(type)\",\(members)}\n\n"
    }

    /// An error in the middle.
    private static let broken = [
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Let\"}}\n\n",
        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n",
    ]

    struct ChatDelta: Decodable, Sendable {
        struct Choice: Decodable, Sendable {
            struct Delta: Decodable, Sendable { let content: String? }
            let delta: Delta
        }
        let choices: [Choice]
        var text: String { choices.first?.delta.content ?? "" }
    }

    struct MessageDelta: Decodable, Sendable {
        struct Delta: Decodable, Sendable { let text: String?, partialJson: String? }
        let delta: Delta
    }

    class ModelAPI: JSONAPI {
        init(_ path: String, on server: ScriptedServer) {
            super.init(.post(EndpointPath(path), json: ["stream": true]))
            baseURL = server.url("")
            session = EverySession.current
            decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
    }

    final class ChatRequest: ModelAPI, EventRequest {
        typealias EventType = ChatDelta
        let endMark: String? = "[DONE]"
    }

    final class MessagesRequest: ModelAPI, EventRequest {
        typealias EventType = MessageDelta
        func decode(_ event: ServerSentEvent) throws -> MessageDelta? {
            guard event.type == "content_block_delta" else { return nil }
            return try decode(MessageDelta.self, from: Data(event.data.utf8))
        }
    }

    /// A server that sends these pieces, each in a chunk, and closes no connection.
    private static func server(_ pieces: [String], ends: Bool = true) throws -> ScriptedServer {
        try ScriptedServer { _, connection, _ in
            try connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            for piece in pieces { try connection.write("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n") }
            if ends { try connection.write("0\r\n\r\n") } else { _ = try? connection.readToEnd() }
        }
    }

    @Test
    func `EventRequest decodes each server-sent event until its end mark, such as [DONE], arrives`() async throws {
        let server = try Self.server(Self.chat)
        defer { server.stop() }
        var text = ""
        for try await delta in ChatRequest("/chat", on: server).eachValue() { text += delta.text }
        #expect(text == "Hello wörld")
    }

    @Test
    func `EventRequest with its own decode(_:) skips the types of events that it does not decode`() async throws {
        let server = try Self.server(Self.messages)
        defer { server.stop() }
        var (text, tool) = ("", "")
        for try await message in MessagesRequest("/messages", on: server).eachValue() {
            text += message.delta.text ?? ""
            tool += message.delta.partialJson ?? ""
        }
        #expect(text == "Let me look." && tool == #"{"city":"Bonn"}"#)
    }

    @Test
    func `An error event in an EventRequest stream fails with failureEvent and closes the connection`() async throws {
        let server = try Self.server(Self.broken, ends: false)
        defer { server.stop() }
        let outcome = try await finalOutcome(of: MessagesRequest("/messages", on: server).events())
        #expect(outcome.values.map(\.delta.text) == ["Let"])
        guard case .failureEvent(let event)? = outcome.failure as? RequestError else {
            return #expect(Bool(false), "\(outcome.failure.debugDescription)")
        }
        #expect(event.type == "error" && event.data.contains("overloaded_error"))
        // The connection is given up.
        #expect(try await holds { server.openConnections == 0 })
    }

    // MARK: The end

    @Test func `A connection is reused after an EventRequest stream that ended with its end mark`() async throws {
        let server = try Self.server(Self.chat)
        defer { server.stop() }
        // On a busy machine, the end of a body may take longer than it is awaited, so this is tried until it is so.
        var number = 0
        repeat {
            #expect(try await finalOutcome(of: ChatRequest("/chat", on: server).events()).isFinished)
            number += 1
        } while server.connections == number
        #expect(server.connections < number)
    }

    @Test
    func `EventRequest finishes at its end mark and closes a connection that the server keeps open`() async throws {
        let server = try Self.server(Self.chat, ends: false)
        defer { server.stop() }
        let call = ChatRequest("/chat", on: server)
        let outcome = try await finalOutcome(of: call.events())
        #expect(outcome.isFinished && outcome.values.count == 4)
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test
    func `EventRequest fails with streamCutOff after its values if the stream closes before the end mark`() async throws
    {
        for pieces in [Self.chat.dropLast(), Self.chat.prefix(2)] {
            let server = try ScriptedServer { _, connection, _ in
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                try connection.write(head + pieces.joined())
                connection.close()
            }
            defer { server.stop() }
            let outcome = try await finalOutcome(of: ChatRequest("/chat", on: server).events())
            #expect(outcome.failure as? RequestError == .streamCutOff)
            #expect(outcome.values.count == (pieces.count == 2 ? 1 : 4))
        }
    }

    @Test func `Breaking out of an EventRequest's eachValue() loop closes the connection`() async throws {
        let server = try Self.server(Array(Self.chat.prefix(2)), ends: false)
        defer { server.stop() }
        for try await _ in ChatRequest("/chat", on: server).eachValue() { break }
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test
    func `Canceling an EventRequest's eachValue() task throws CancellationError and closes the connection`()
        async throws
    {
        let server = try Self.server(Array(Self.chat.prefix(2)), ends: false)
        defer { server.stop() }
        let session = EverySession.current
        let first = Later<Void>()
        let task = Task {
            try await EverySession.$current.withValue(session) {
                for try await _ in ChatRequest("/chat", on: server).eachValue() { first.set() }
            }
        }
        try await first.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { server.openConnections == 0 })
    }

    // MARK: Decoding

    /// Events without data, of which there may be any number anywhere.
    @Test(
        arguments: [
            "data:\n\n", "data: \n\n", "data\n\n", "data:  \t\n\n", "data\ndata\n\n", "data: \r\n\r\n",
            "id: 1\ndata:\n\n",
            "event: ping\ndata:\n\n", "id: 1\nevent: ping\nretry: 5\ndata: \n\n", "retry: 5\n\n", "id: 1\n\n",
            "event: x\n\n",
            ": ping\n\n", "\u{FEFF}data:\n\n",
        ]
    )
    func `EventRequest skips events whose data is empty or blank, wherever they are in the stream`(empty: String)
        async throws
    {
        let good = ["Hel", "lo"].map { "data: {\"choices\":[{\"delta\":{\"content\":\"\($0)\"}}]}\n\n" }
        let pieces = [empty, empty, good[0], empty.replacing("\u{FEFF}", with: ""), good[1], empty, "data: [DONE]\n\n"]
        let server = try Self.server(pieces)
        defer { server.stop() }
        let outcome = try await finalOutcome(of: ChatRequest("/chat", on: server).events())
        #expect(outcome.values.map(\.text) == ["Hel", "lo"] && outcome.isFinished)
    }

    /// As servers of GraphQL over events end a subscription.
    @Test func `A GraphQL subscription over events skips its last event, which has no data`() async throws {
        final class Numbers: GraphQLAPI, GraphQLRequest, EventRequest {
            typealias ModelType = [String: Int]
            typealias EventType = [String: Int]
            static let query = "subscription Numbers { n }"
        }
        let server = try Self.server([
            "event: next\ndata: {\"data\":{\"n\":1}}\n\n", ": ping\n\n", "event: complete\ndata:\n\n",
        ])
        defer { server.stop() }
        let call = Numbers()
        (call.baseURL, call.session) = (server.url(""), EverySession.current)
        let outcome = try await finalOutcome(of: call.events())
        #expect(outcome.values == [["n": 1]] && outcome.isFinished)
    }

    @Test(
        arguments: [
            ("{\"choices\":[{}]}", "choices[0]", "the key “delta”"), ("{\"choices\":1}", "choices", "an array"),
            ("<html>", "", "JSON"), ("{\"choices\":[", "", "JSON"),
        ]
    )
    func `An event with malformed JSON or a missing key fails with undecodableEvent, which tells where`(
        data: String,
        place: String,
        expected: String
    ) async throws {
        let server = try Self.server(["data: {\"choices\":[]}\n\n", "data: \(data)\n\n", "data: [DONE]\n\n"])
        defer { server.stop() }
        let outcome = try await finalOutcome(of: ChatRequest("/chat", on: server).events())
        #expect(outcome.values.count == 1)
        guard case .undecodableEvent(let event)? = outcome.failure as? RequestError else {
            return #expect(Bool(false), "\(outcome.failure.debugDescription)")
        }
        #expect(event.number == 2 && event.place == place && event.line == Data(data.utf8))
        #expect(event.expected.contains(expected))
        #expect(outcome.failure?.localizedDescription.hasPrefix("Event 2 of the stream is no ChatDelta") == true)
    }

    @Test func `An EventRequest loop throws an error of its own decode(_:) unchanged`() async throws {
        struct Own: Error {}
        final class Leaf: ModelAPI, EventRequest {
            typealias EventType = ChatDelta
            func decode(_ event: ServerSentEvent) throws -> ChatDelta? { throw Own() }
        }
        let server = try Self.server(Self.chat)
        defer { server.stop() }
        await #expect(throws: Own.self) { for try await _ in Leaf("/chat", on: server).eachValue() {} }
    }
}
