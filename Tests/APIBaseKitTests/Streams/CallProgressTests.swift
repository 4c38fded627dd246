import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Loops over the progress of a call.
@Suite(.tags(.concurrent), .everySession, .limited) struct CallProgressTests {
    private final class Upload: JSONAPI, Request {
        typealias ModelType = Data

        init(_ body: Data, on server: URL, answered type: String = "*/*") {
            super.init(.put("/file", content: .data(body, type: "application/octet-stream")))
            baseURL = server
            session = EverySession.current
            acceptedTypes = [type]
        }
    }

    /// The steps of a call, and its error.
    nonisolated(nonsending) private static func steps(
        _ call: Upload
    ) async -> (sent: [Int64], received: [Int64], values: [Data], error: (any Error)?) {
        var (sent, received, values): ([Int64], [Int64], [Data]) = ([], [], [])
        do {
            for try await step in call.eachProgress() {
                switch step {
                case .sent(let bytes, _): sent.append(bytes)
                case .received(let bytes, _): received.append(bytes)
                case .value(let value): values.append(value)
                }
            }
            return (sent, received, values, nil)
        } catch {
            return (sent, received, values, error)
        }
    }

    @Test func `An eachProgress() loop gets the sent and received byte counts and finally the value`() async throws {
        let body = Data(repeating: 1, count: 3 << 20)
        let server = try ScriptedServer { request, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n")
            try connection.write(request.body)
        }
        defer { server.stop() }
        let steps = await Self.steps(Upload(body, on: server.url("")))
        #expect(steps.error == nil && steps.values == [body])
        #expect(steps.sent.last == Int64(body.count) && steps.sent == steps.sent.sorted())
        #expect(steps.received.last == Int64(body.count) && steps.received == steps.received.sorted())
        #expect(server.requests.count == 1)
    }

    @Test func `An eachProgress() loop throws httpFailure when the server answers with a 500`() async throws {
        let server = try ScriptedServer(always: reply("500 Internal Server Error", body: "no"))
        defer { server.stop() }
        let steps = await Self.steps(Upload(Data("x".utf8), on: server.url("")))
        guard case .httpFailure(500)? = steps.error as? RequestError else {
            return #expect(Bool(false), "\(String(describing: steps.error))")
        }
        #expect(steps.values.isEmpty)
    }

    @Test func `Breaking out of an eachProgress() loop closes the connection`() async throws {
        let server = try ScriptedServer { _, connection, _ in _ = try? connection.readToEnd() }
        defer { server.stop() }
        for try await _ in Upload(Data(repeating: 1, count: 1 << 20), on: server.url("")).eachProgress() { break }
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test func `Canceling an eachProgress() task throws CancellationError and closes the connection`() async throws {
        let server = try ScriptedServer { _, connection, _ in _ = try? connection.readToEnd() }
        defer { server.stop() }
        let session = EverySession.current
        let first = Later<Void>()
        let task = Task {
            try await EverySession.$current.withValue(session) {
                let call = Upload(Data(repeating: 1, count: 1 << 20), on: server.url(""))
                for try await _ in call.eachProgress() { first.set() }
            }
        }
        try await first.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test func `An eachProgress() loop over a stubbed call gets its byte counts and value`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("done"))
        let call = Upload(Data("abc".utf8), on: URL(fileURLWithPath: "/"))
        call.baseURL = URL(string: "http://api.example")
        call.session = stubs
        let steps = await Self.steps(call)
        #expect(steps.values == [Data("done".utf8)] && steps.sent.last == 3 && steps.received.last == 4)
    }
}
