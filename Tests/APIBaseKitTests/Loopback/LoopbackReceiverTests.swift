import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// The receiver of a command, and browsers that do what browsers do.
@Suite(.tags(.concurrent), .limited) struct LoopbackReceiverTests {
    private static let authorization = LoginStubs.url("https://login.example/authorize?state=s%201")

    /// Sends bytes to the receiver. What it answers, until it closes the connection.
    private static func send(_ text: String, to receiver: LoopbackReceiver) async throws -> String {
        let port = UInt16(receiver.url.port ?? 0)
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "browser").async {
                continuation.resume(
                    with: Result {
                        let connection = try SocketConnection(connectingTo: port)
                        defer { connection.close() }
                        // A receiver that refuses a request may close the connection before all of it is written.
                        for part in text.split(separator: "|") { try? connection.write(String(part)) }
                        var answer: [UInt8] = []
                        while let bytes = try? connection.read(), !bytes.isEmpty { answer += bytes }
                        return String(decoding: answer, as: UTF8.self)
                    }
                )
            }
        }
    }

    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" }

    @Test func `LoopbackReceiver answers 404 to everything but the OAuth callback with the right state`() async throws {
        let receiver = try LoopbackReceiver(message: "Done <now>")
        #expect(receiver.url.absoluteString == "http://127.0.0.1:\(receiver.url.port ?? 0)/callback")
        let callback = Task { try await receiver.callback(of: Self.authorization) }
        let others = [
            Self.get("/favicon.ico"), Self.get("/callback?code=c&state=other"), Self.get("/callback"),
            Self.get("//evil.example/callback?code=c&state=s+1"), "POST /callback?state=s+1 HTTP/1.1\r\n\r\n",
            "nonsense\r\n\r\n", Self.get("http://127.0.0.1/callback?state=s+1"),
            // Any page in the browser could send it.
            Self.get("/callback?error=access_denied"),
        ]
        for other in others {
            #expect(try await Self.send(other, to: receiver).hasPrefix("HTTP/1.1 404 "), "\(other)")
        }
        #expect(try await Self.send(String(repeating: "x", count: 100_000), to: receiver).isEmpty)
        let answer = try await Self.send("GE|T /call|back?code=c%2F1&state=s+1 HTTP/1.1\r\n|\r\n", to: receiver)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("<p>Done &lt;now&gt;</p>"))
        let url = try await callback.value
        #expect(url.absoluteString == receiver.url.absoluteString + "?code=c%2F1&state=s+1")
    }

    /// Connections that send nothing, or send requests before the program waits, must not keep the browser out.
    @Test(arguments: [0, 200])
    func `LoopbackReceiver gets the OAuth callback while 50 idle connections are open, and after early requests`(
        early: Int
    ) async throws {
        let receiver = try LoopbackReceiver()
        var idle: [SocketConnection] = []
        defer { for connection in idle { connection.close() } }
        for _ in 0..<early {
            let connection = try SocketConnection(connectingTo: UInt16(receiver.url.port ?? 0))
            idle.append(connection)
            // It may have made way for the others already.
            try? connection.write(Self.get("/favicon.ico"))
        }
        let callback = Task { try await receiver.callback(of: Self.authorization) }
        for _ in 0..<5 {
            for _ in 0..<10 { idle.append(try SocketConnection(connectingTo: UInt16(receiver.url.port ?? 0))) }
            // What has an answer was accepted after them, so the queue of the system is empty again.
            #expect(try await Self.send(Self.get("/favicon.ico"), to: receiver).hasPrefix("HTTP/1.1 404 "))
        }
        let answer = try await Self.send(Self.get("/callback?code=c&state=s+1"), to: receiver)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(try await callback.value.fields["code"] == "c")
    }

    /// Any page in the browser could call it back.
    @Test func `LoopbackReceiver fails with stateMismatch when the authorization URL has no state`() async throws {
        let receiver = try LoopbackReceiver()
        let url = LoginStubs.url("https://login.example/authorize?client_id=me")
        await #expect(throws: TokenSource.SignInError.stateMismatch) { try await receiver.callback(of: url) }
    }

    @Test func `LoopbackReceiver receives three OAuth callbacks one after another`() async throws {
        let receiver = try LoopbackReceiver(path: "/")
        for number in 0..<3 {
            // It may come before it is waited for.
            async let answer = Self.send(Self.get("/?n=\(number)&state=s+1"), to: receiver)
            let url = try await receiver.callback(of: Self.authorization)
            #expect(url.fields["n"] == "\(number)")
            #expect(try await answer.hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test
    func `LoopbackReceiver fails with EBUSY for a second wait, CancellationError for a canceled wait`() async throws {
        let receiver = try LoopbackReceiver()
        let first = Task { try await receiver.callback(of: Self.authorization) }
        _ = try await Self.send(Self.get("/favicon.ico"), to: receiver)
        await #expect(throws: POSIXError(.EBUSY)) { try await receiver.callback(of: Self.authorization) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await receiver.callback(of: Self.authorization) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    @Test
    func `LoopbackReceiver fails with noCallback when no OAuth callback comes within its time limit`() async throws {
        let receiver = try LoopbackReceiver()
        let error = await #expect(throws: TokenSource.SignInError.noCallback(within: .milliseconds(20))) {
            try await receiver.callback(of: Self.authorization, within: .milliseconds(20))
        }
        #expect(
            error?.localizedDescription
                == "No callback has come within 0.02 seconds: the sign-in in the browser was not finished, "
                + "or not begun."
        )
    }

    /// RFC 6749, section 4.1.2.1, asks for the state. The requests, and the code that the error names.
    @Test(
        arguments: [
            (["error=access_denied"], "access_denied"),
            (["error=access_denied&error_description=Call+us"], "access_denied"),
            (["error_description=x&error=server%5Ferror&code=c"], "server_error"), (["error=b", "error=b"], "b"),
            (["error=b", "error=a&state=other", "code=c", ""], "b"),
            (["error=" + String(repeating: "x", count: 100)], String(repeating: "x", count: 100)),
            (["error=" + String(repeating: "x", count: 101)], nil),
            (["error=a%22b", "error=a%0Ab", "error=%C3%A4"], nil),
            (["error=token%3Dabc"], "token=REDACTED"), (["error=a&state=", "error=a&state"], nil),
            (["error=", "error"], nil),
            (["error=a&error=b", "error_description=x"], nil),
        ] as [([String], String?)]
    )
    func `LoopbackReceiver names in noCallback the code of an OAuth refusal without state, and shows no such code else`(
        queries: [String],
        code: String?
    ) async throws {
        let receiver = try LoopbackReceiver()
        // They are held until the wait begins.
        let requests = try queries.map { query in
            let request = try SocketConnection(connectingTo: UInt16(receiver.url.port ?? 0))
            try request.write(Self.get("/callback?" + query))
            return request
        }
        let error = await #expect(throws: TokenSource.SignInError.noCallback(within: .seconds(1), refusal: code)) {
            try await receiver.callback(of: Self.authorization, within: .seconds(1))
        }
        for request in requests {
            #expect(String(decoding: try request.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 404 "))
        }
        #expect(error?.localizedDescription.contains("says “\(code ?? "")”") == (code != nil))
    }

    #if os(Linux)
    @Test(arguments: [true, false])
    func `The end of a wait of LoopbackReceiver closes idle connections, and its release frees the port`(
        isCanceled: Bool
    ) async throws {
        var receiver: LoopbackReceiver? = try LoopbackReceiver()
        let port = UInt16(receiver?.url.port ?? 0)
        let listener = try #require(Self.listeners(at: port))
        #expect(listener.count == 1)
        let idle = try SocketConnection(connectingTo: port)
        let callback = Task { [receiver] in
            try await receiver?.callback(of: Self.authorization, within: .seconds(isCanceled ? 600 : 1))
        }
        if isCanceled {
            // The answers come after the other connection was accepted.
            for _ in 0..<3 { _ = try await Self.send(Self.get("/favicon.ico"), to: #require(receiver)) }
            callback.cancel()
        }
        await #expect(throws: (any Error).self) { try await callback.value }
        #expect(try idle.read().isEmpty)
        receiver = nil
        // Another test may have the port by now, but not the socket.
        #expect(try #require(Self.listeners(at: port)).isDisjoint(with: listener))
    }

    /// The inodes of the sockets that listen at a port (proc(5), /proc/net/tcp: local address, state, inode).
    private static func listeners(at port: UInt16) -> Set<Substring>? {
        let table = try? FileHandle(forReadingAtPath: "/proc/net/tcp")?.readToEnd()
        let local = String(format: ":%04X", Int(port))
        guard let lines = table.map({ String(decoding: $0, as: UTF8.self) })?.split(separator: "\n") else { return nil }
        return lines.reduce(into: []) { found, line in
            let fields = line.split(separator: " ")
            if fields.count > 9, fields[1].hasSuffix(local), fields[3] == "0A" { found.insert(fields[9]) }
        }
    }
    #endif

    @Test
    func `An OAuth authorization code sign-in gets its token after the callback to LoopbackReceiver`() async throws {
        let receiver = try LoopbackReceiver()
        let login = LoginStubs(LoginStubs.token(1))
        let source = TokenSource.authorizationCode(
            authorizeAt: LoginStubs.authorizeURL,
            tokenAt: LoginStubs.tokenURL,
            id: "me",
            redirect: receiver.url
        ) { url in
            let state = url.fields["state"] ?? ""
            async let page = Self.send(Self.get("/callback?code=c&state=\(state)"), to: receiver)
            let callback = try await receiver.callback(of: url)
            #expect(try await page.contains("200 OK"))
            return callback
        }
        #expect(try await login.token(of: source) == "a1")
        #expect(login.sent.first?["redirect_uri"] == receiver.url.absoluteString)
    }
}
