#if os(Linux)
import APIBaseKit
import Basics
import LoopbackServer
import Foundation
import HostileServer

/// Many responses of events at once: their memory, and the time until the server sees that one is canceled.
///
/// The server is in the same process, with a thread for each stream, so the memory is that of both.
enum EventStreams {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    private static let event = "data: {\"choices\":[{\"delta\":{\"content\":\" word\"}}]}\n\n"

    private struct Delta: Decodable, Sendable {
        struct Choice: Decodable, Sendable {
            struct Content: Decodable, Sendable { let content: String }
            let delta: Content
        }
        let choices: [Choice]
    }

    private final class ChatRequest: JSONAPI, EventRequest {
        typealias EventType = Delta

        init(_ number: Int, _ server: URL, _ session: any HTTPSession) {
            super.init(.post("/\(number)", json: ["stream": true]))
            baseURL = server
            self.session = session
        }
    }

    /// Sends a hundred events to each stream, several times.
    static func run(_ count: Int, rounds: Int) async throws {
        let (streams, closed) = (Locked<[Int: SocketConnection]>([:]), Locked<[Int: ContinuousClock.Instant]>([:]))
        let server = try ScriptedServer(maximumConnections: count) { request, connection, _ in
            guard let number = Int(request.target.dropFirst()) else { return }
            streams.withLock { $0[number] = connection }
            try connection.write(head + event)
            _ = try? connection.readToEnd(before: .now + .seconds(300))
            closed.withLock { $0[number] = .now }
        }
        var configuration = CurlSession.Configuration()
        (configuration.connectionsPerHost, configuration.connections) = (count, count)
        let session = CurlSession(configuration: configuration)
        let received = Locked(0)
        var lines = (0..<count).map { number in
            ChatRequest(number, server.url(""), session).events()
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in received.withLock { $0 += 1 } })
        }
        _ = try await holds { received.withLock { $0 } == count }
        say("\(count) streams: \(Resources.residentKiB / 1_024) MiB")
        let hundred = Data(String(repeating: event, count: 100).utf8)
        for round in 1...rounds {
            for connection in streams.withLock({ $0.values }) { try connection.write(hundred) }
            _ = try await holds { received.withLock { $0 } == count * (1 + 100 * round) }
            say("\(received.withLock { $0 }) events: \(Resources.residentKiB / 1_024) MiB")
        }
        var times: [Duration] = []
        for number in 0..<count {
            let start = ContinuousClock.now
            lines[number].cancel()
            _ = try await holds { closed.withLock { $0[number] } != nil }
            times.append((closed.withLock { $0[number] } ?? .now) - start)
        }
        lines = []
        times.sort()
        say("canceled, one by one, until the server sees it: median \(times[count / 2]), longest \(times[count - 1])")
        exit(0)
    }
}
#endif
