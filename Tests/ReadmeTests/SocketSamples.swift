// swift-format-ignore-file
// The samples of the article on sockets, in its order.

import APIBaseKit
import APIBaseSockets
import APIBaseTesting
import TestTiers
import Testing

// sample x
class RoomAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://chat.example/v1") }
}

nonisolated struct RoomMessage: Codable, Sendable {
    var id: Int?
    var text: String
}

final class Room: RoomAPI, SocketRequest {
    typealias Incoming = RoomMessage
    typealias Outgoing = RoomMessage
    init(_ name: String) { super.init(.get("/rooms/\(segment: name)")) }
}
// end

private func show(_ message: RoomMessage) {}

private func talk() async throws {
// sample x
let room = try await Room("swift").connect()
try await room.send(RoomMessage(text: "Hello"))
for try await message in room.messages {
    show(message)
    if message.text == "Bye" { break }
}
// end
}

private func ask(_ questions: [RoomMessage], in room: APISocket<RoomMessage, RoomMessage>) async throws {
// sample x
var answers = room.messages.makeAsyncIterator()
for question in questions {
    try await room.send(question)
    guard let answer = try await answers.next() else { break }
    show(answer)
}
room.close()
// end
}

// sample x
final class LastingRoom: RoomAPI, SocketRequest {
    typealias Incoming = RoomMessage
    typealias Outgoing = RoomMessage
    let reconnect = RetryPolicy(attempts: 10, backoff: .exponential(from: .milliseconds(500), upTo: .seconds(30)))
    init(_ name: String) { super.init(.get("/rooms/\(segment: name)")) }

    func resume(_ request: inout URLRequest, after last: RoomMessage) {
        request.url?.append(queryItems: [URLQueryItem(name: "after", value: last.id.map { "\($0)" })])
    }

    func resume(after last: RoomMessage?, unconfirmed: [RoomMessage]) -> [RoomMessage] {
        unconfirmed
    }
}
// end

@Suite(.limited) struct SocketSampleTests {
// sample x
@Test(.stubs { stubs in
    stubs.on(.socket, "/rooms/swift").socket { socket in
        try await socket.expect(#"{"text": "Hello"}"#)
        socket.send(#"{"id": 1, "text": "Welcome"}"#)
    }
})
func `The room welcomes who says hello`() async throws {
    let room = try await Room("swift").connect()
    try await room.send(RoomMessage(text: "Hello"))
    for try await message in room.messages { #expect(message.text == "Welcome") }
}
// end

@Test(.stubs { stubs in
    stubs.on(.socket, "/rooms/swift").answer(inOrder:
        .socket { socket in
            socket.send(#"{"id": 1, "text": "One"}"#)
            socket.cut()
        },
        .socket { socket in socket.send(#"{"id": 2, "text": "Two"}"#) }
    )
})
func `A room that was lost is resumed after its last message`() async throws {
    var texts: [String] = []
    for try await message in try await LastingRoom("swift").connect().messages { texts.append(message.text) }
    #expect(texts == ["One", "Two"])
    #expect(Stubs.current?.calls.map { $0.queryItem("after") } == [nil, "1"])
}
}
