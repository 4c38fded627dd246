import APIBaseKit
@testable import APIBaseCore
@testable import APIBaseSignIn
import APIBaseStubs
import Basics
import TestTiers
import Testing

/// The device code: RFC 8628. Its waits are on the clock of the stubs.
@Suite(.limited) struct DeviceCodeTests {
    /// The example of section 3.2.
    private static let device = """
        {
          "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
          "user_code": "WDJB-MJHT",
          "verification_uri": "https://example.com/device",
          "verification_uri_complete": "https://example.com/device?user_code=WDJB-MJHT",
          "expires_in": 1800,
          "interval": 5
        }
        """

    private static let pending = LoginStubs.refusal("authorization_pending")

    private func source(show: @escaping @Sendable (TokenSource.DeviceCode) async throws -> Void = { _ in })
        -> TokenSource
    {
        .deviceCode(
            authorizeAt: LoginStubs.deviceURL,
            tokenAt: LoginStubs.tokenURL,
            id: "1406020730",
            scope: "example_scope",
            parameters: ["audience": "books"],
            show: show
        )
    }

    @Test
    func `An OAuth device sign-in polls at the server's interval, and 5 seconds slower after slow_down`() async throws {
        let login = LoginStubs(
            Self.pending,
            LoginStubs.refusal("slow_down"),
            Self.pending,
            LoginStubs.token(1),
            device: .json(Self.device)
        )
        let shown = Locked<[String]>([])
        let source = source { code in shown.withLock { $0 += [code.userCode, code.page.absoluteString] } }
        #expect(try await login.token(of: source) == "a1")
        #expect(shown.withLock { $0 } == ["WDJB-MJHT", "https://example.com/device"])
        #expect(login.sent[0] == ["client_id": "1406020730", "scope": "example_scope", "audience": "books"])
        let poll = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", "client_id": "1406020730",
        ]
        #expect(Array(login.sent.dropFirst()) == [poll, poll, poll, poll])
        #expect(login.stubs.waits == [5, 5, 10, 10].map { .init(.sleep, .seconds($0)) })
    }

    /// What the token endpoint answers, the error, and the seconds waited for.
    @Test(arguments: [
        (["access_denied"], TokenSource.SignInError.denied(code: "access_denied", explanation: "for developers"), [5]),
        (["authorization_pending", "expired_token"], .expired, [5, 5]),
    ])
    func `An OAuth device sign-in fails with denied for access_denied, and expired for expired_token`(
        codes: [String],
        error: TokenSource.SignInError,
        waits: [Int]
    ) async throws {
        let rest = Locked(codes)
        let login = LoginStubs(.json("{}"), device: .json(Self.device))
        login.stubs.on(.post, "/token").overriding().answer(with: { _ in
            LoginStubs.refusal(rest.withLock { $0.removeFirst() })
        })
        await #expect(throws: error) { try await login.token(of: source()) }
        #expect(login.stubs.waits == waits.map { .init(.sleep, .seconds($0)) })
    }

    /// The server never says that the code has expired: the client knows.
    @Test
    func `An OAuth device sign-in stops polling and fails with expired when expires_in has passed`() async throws {
        let login = LoginStubs(Self.pending, device: .json(Self.device.replacing("1800", with: "22")))
        await #expect(throws: TokenSource.SignInError.expired) { try await login.token(of: source()) }
        #expect(login.stubs.waits.count == 4)
    }

    /// The fields of the device, the number of polls, and the time of the last one, in seconds.
    @Test(arguments: [
        ("3", "1", 2, 2.5), ("600", "100", 5, 599), ("22", "5", 4, 21), ("10", "5", 1, 9), ("11", "5", 2, 10),
        ("12", "5", 2, 11), ("5", "5", 1, 4), ("2", "5", 1, 1), ("0.5", "1", 1, 0.25), ("1800", "900", 1, 1_799),
        ("0", "900", 3, 3_599), ("-1", "900", 3, 3_599), (#""soon""#, "900", 3, 3_599),
    ])
    func `An OAuth device sign-in polls no faster than the interval, and for the last time just before the code ends`(
        lifetime: String,
        interval: String,
        polls: Int,
        last: Double
    ) async throws {
        let device = Self.device.replacing("1800", with: lifetime).replacing(": 5", with: ": \(interval)")
        let login = LoginStubs(Self.pending, device: .json(device))
        await #expect(throws: TokenSource.SignInError.expired) { try await login.token(of: source()) }
        let waits = login.stubs.waits.map { $0.duration / .seconds(1) }
        #expect(waits.count == polls && waits.dropLast().allSatisfy { $0 == Double(interval) })
        #expect(abs(waits.reduce(0, +) - last) < 0.001)
    }

    /// The fields, the page that has the code in its URL, and the lifetime in seconds.
    @Test(
        arguments: [
            ("", "", "https://example.com/device?user_code=WDJB-MJHT", 1_800),
            ("verification_uri_complete", "x", nil, 1_800),
            (": 1800", ": 0", "https://example.com/device?user_code=WDJB-MJHT", nil),
            ("https://example.com/device?user_code=WDJB-MJHT", "javascript:alert(1)", nil, 1_800),
            ("https://example.com/device?user_code=WDJB-MJHT", "", nil, 1_800),
            (#""https://example.com/device?user_code=WDJB-MJHT""#, "7", nil, 1_800),
        ] as [(String, String, String?, Int?)]
    )
    func `The program that shows an OAuth device code gets the page with the code in its URL, and the code's lifetime`(
        part: String,
        replacement: String,
        page: String?,
        lifetime: Int?
    ) async throws {
        let device = part.isEmpty ? Self.device : Self.device.replacing(part, with: replacement)
        let login = LoginStubs(LoginStubs.token(1), device: .json(device))
        let shown = Locked<TokenSource.DeviceCode?>(nil)
        let source = source { code in shown.withLock { $0 = code } }
        #expect(try await login.token(of: source) == "a1")
        let code = try #require(shown.withLock { $0 })
        #expect(code.userCode == "WDJB-MJHT" && code.page.absoluteString == "https://example.com/device")
        #expect(code.completePage?.absoluteString == page && code.lifetime == lifetime.map { .seconds($0) })
    }

    @Test func `An OAuth device sign-in stops polling and fails with OAuthError for invalid_client`() async throws {
        let login = LoginStubs(LoginStubs.refusal("invalid_client", status: 401), device: .json(Self.device))
        let error = try await #require(throws: TokenSource.OAuthError.self) { try await login.token(of: source()) }
        #expect(error.code == "invalid_client")
        #expect(login.stubs.waits.count == 1)
    }

    /// Section 3.5: after a connection timeout, the interval is doubled.
    @Test func `A lost connection doubles the polling interval of an OAuth device sign-in`() async throws {
        let login = LoginStubs(
            .fault(.connectionLost),
            Self.pending,
            LoginStubs.token(1),
            device: .json(Self.device)
        )
        #expect(try await login.token(of: source()) == "a1")
        #expect(login.stubs.waits == [5, 10, 10].map { .init(.sleep, .seconds($0)) })
    }

    /// The refresh token beside it may be the only one.
    @Test(arguments: ["true", "{}", "1e400", "\"soon\"", "null", "-5", "1e300"])
    func `An OAuth device sign-in gets its token even if the expires_in of the token is unreadable`(time: String)
        async throws
    {
        let answer = StubAnswer.json(#"{"access_token": "a1", "refresh_token": "r1", "expires_in": \#(time)}"#)
        let login = LoginStubs(answer, device: .json(Self.device))
        #expect(try await login.token(of: source()) == "a1")
    }

    /// The user still has the code, so a server that is busy is asked again, not before it says.
    @Test(arguments: [
        (StubAnswer.status(503), [5, 10]), (.tooManyRequests(retryAfter: .seconds(60)), [5, 60]),
        (LoginStubs.refusal("temporarily_unavailable", status: 503), [5, 10]),
        (LoginStubs.refusal("server_error"), [5, 10]), (.text("<p>", status: 502), [5, 10]),
    ])
    func `An OAuth device poll after a 429 or 503 waits for Retry-After, or twice the interval without one`(
        answer: StubAnswer,
        waits: [Int]
    ) async throws {
        let login = LoginStubs(answer, LoginStubs.token(1), device: .json(Self.device))
        #expect(try await login.token(of: source()) == "a1")
        #expect(login.stubs.waits == waits.map { .init(.sleep, .seconds($0)) })
    }

    @Test(arguments: [
        (#""interval": 5"#, #""interval": null"#, [5]), (#""interval": 5"#, #""interval": 0"#, [1]),
        (#""interval": 5"#, #""interval": -3"#, [1]), (#""interval": 5"#, #""interval": "7""#, [7]),
        ("verification_uri\"", "verification_url\"", [5]),
    ])
    func `An OAuth device sign-in accepts a null, negative or text interval, and verification_url`(
        part: String,
        replacement: String,
        waits: [Int]
    ) async throws {
        let device = Self.device.replacing(part, with: replacement)
        let login = LoginStubs(LoginStubs.token(1), device: .json(device))
        #expect(try await login.token(of: source()) == "a1")
        #expect(login.stubs.waits == waits.map { .init(.sleep, .seconds($0)) })
    }

    @Test(arguments: [
        ("\"user_code\"", "\"x\""), ("\"device_code\"", "\"x\""), ("\"expires_in\"", "\"x\""),
        ("\"verification_uri\"", "\"x\""), ("https://example.com/device\"", "javascript:alert(1)\""),
        ("https://example.com/device\"", "\""),
    ])
    func `An OAuth device response with a missing or invalid field fails before the code is shown`(
        part: String,
        replacement: String
    ) async throws {
        let login = LoginStubs(LoginStubs.token(1), device: .json(Self.device.replacing(part, with: replacement)))
        let source = source { _ in Issue.record("Nothing should be shown.") }
        await #expect(throws: (any Error).self) { try await login.token(of: source) }
        #expect(login.sent.count == 1)
    }

    @Test func `An OAuth device sign-in gets its token even if expires_in and interval are 1e300`() async throws {
        let device = Self.device.replacing("1800", with: "1e300").replacing(": 5", with: ": 1e300")
        let login = LoginStubs(LoginStubs.token(1), device: .json(device))
        #expect(try await login.token(of: source()) == "a1")
    }
}
