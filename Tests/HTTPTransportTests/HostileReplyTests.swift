import DemoServer
import Foundation
import HTTPTransport
import Testing

extension OverSockets {
    /// Answers that Foundation on Linux survives. A response with trailers, and one cut inside the header, end the process
    /// with Swift 6.3 and cannot be tested there.
    @Suite struct HostileReplyTests {
        /// What the server does after reading the request, and what the client should make of it.
        struct Case: CustomTestStringConvertible {
            let testDescription: String
            let phases: Set<TransportError.Phase>
            let reasons: Set<TransportError.Reason>
            let act: @Sendable (SocketConnection) throws -> Void

            init(
                _ name: String,
                _ phases: Set<TransportError.Phase>,
                _ reasons: Set<TransportError.Reason>,
                _ act: @escaping @Sendable (SocketConnection) throws -> Void
            ) {
                testDescription = name
                self.phases = phases
                self.reasons = reasons
                self.act = act
            }
        }

        @Test(arguments: [
            Case("closes without a word", [.head], [.connectionLost]) { $0.close() },
            Case("resets without a word", [.head], [.connectionLost]) { $0.reset() },
            Case("short body", [.body], [.connectionLost]) { connection in
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                connection.close()
            },
            Case("reset inside the body", [.body, .head], [.connectionLost]) { connection in
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                connection.reset()
            },
            Case("chunked body cut short", [.body], [.connectionLost]) { connection in
                try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
                connection.close()
            },
            Case("chunk size that is none", [.body], [.malformedResponse, .connectionLost]) { connection in
                try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n")
                connection.close()
            },
            Case("garbage", [.head], [.malformedResponse]) { connection in
                try connection.write("\u{1}\u{2}\u{3} no HTTP at all\r\n\r\n")
                connection.close()
            },
            Case("no reason phrase", [.head], [.malformedResponse]) { connection in
                try connection.write("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n")
            },
            Case("unknown encoding", [.body], [.malformedResponse]) { connection in
                try connection.write(reply("200 OK", ["Content-Encoding: zip"], body: "not encoded"))
            },
            Case("broken gzip", [.body], [.malformedResponse]) { connection in
                try connection.write(reply("200 OK", ["Content-Encoding: gzip"], body: "not compressed"))
            },
        ])
        func failsWithAName(_ hostile: Case) async throws {
            let server = try ScriptedServer { _, connection, _ in try hostile.act(connection) }
            defer { server.stop() }
            let error = try #require(await DefaultSession.shared.fetch(make(.get, server.url("/?token=canary")))?.error)
            #expect(hostile.reasons.contains(error.reason), "\(error.reason): \(String(describing: error.underlying))")
            #expect(hostile.phases.contains(error.phase), "\(error.phase)")
            #expect(error.urlError.code != .unknown)
            var dumped = ""
            dump(error, to: &dumped)
            for text in [dumped, "\(error)", error.localizedDescription, "\(error.urlError)"] {
                #expect(!text.contains("canary"), "\(text)")
            }
        }

        @Test func namesARefusedConnection() async throws {
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            let error = await DefaultSession.shared.fetch(make(.get, url))?.error
            #expect(error?.reason == .cannotConnect)
            #expect(error?.phase == .connect)
        }

        @Test func namesAHostThatIsNowhere() async throws {
            let url = try #require(URL(string: "http://nowhere.invalid/"))
            let error = await DefaultSession.shared.fetch(make(.get, url))?.error
            #expect(error?.reason == .hostNotFound)
            #expect(error?.phase == .connect)
        }

        @Test(arguments: ["Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"y\"", "Basic"])
        func handsOutA401(_ challenge: String) async throws {
            let server = try ScriptedServer(
                always: reply("401 No", ["WWW-Authenticate: \(challenge)"], body: "who are you?")
            )
            defer { server.stop() }
            for _ in 0..<3 {
                let result = await DefaultSession.shared.fetch(make(.get, server.url()))
                #expect(result?.status == 401)
                #expect(result?.text == "who are you?")
            }
            #expect(server.requests.count == 3)
        }

        @Test(arguments: [100, 103])
        func skipsWhatComesBeforeTheResponse(_ status: Int) async throws {
            let early = "HTTP/1.1 \(status) Early\r\nX-Early: 1\r\n\r\n"
            let server = try ScriptedServer(always: early + reply("200 OK", ["X-Late: 1"], body: "late"))
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.get, server.url()))
            #expect(result?.text == "late")
            #expect(result?.status == 200)
        }

        @Test func readsABodyThatEndsWithTheConnection() async throws {
            let server = try ScriptedServer { _, connection, _ in
                try connection.write("HTTP/1.1 200 OK\r\n\r\nuntil the end")
                connection.close()
            }
            defer { server.stop() }
            #expect(await DefaultSession.shared.fetch(make(.get, server.url()))?.text == "until the end")
        }

        /// Foundation has used the body up when it finds the kept connection dead, and would send an empty one.
        @Test(arguments: ["POST", "PUT"])
        func neverSendsABodyAgainOnItsOwn(_ method: String) async throws {
            let session = HardenedSession()
            let server = try ScriptedServer { request, connection, index in
                if index == 0 || request.body.isEmpty { return try connection.write(reply(body: "done")) }
                connection.close()
            }
            defer { server.stop() }
            let body = HTTPBody.data(Data(repeating: 7, count: 200))
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(repeating: 7, count: 200).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            for body in [body, .file(file)] {
                _ = await session.fetch(make(.get, server.url()))
                let result = await session.fetch(make(HTTPMethod(rawValue: method), server.url(), body: body))
                #expect(result?.error?.reason == .connectionLost, "\(String(describing: result))")
            }
            for request in server.requests where request.method == method {
                #expect(request.body.count == 200)
            }
            #expect(session.runningExchanges == 0)
        }
    }
}
