import APIBaseKit
import APIBaseStubs
import Basics

/// An authorization server of stubs: `/token` and `/device` answer in order, and `/x` is the API.
struct LoginStubs: Sendable {
    static let authorizeURL = url("https://login.example/authorize?tenant=7")
    static let tokenURL = url("https://login.example/token")
    static let deviceURL = url("https://login.example/device")
    static let redirect = url("http://127.0.0.1:49152/callback")

    private let forms = Locked<[[String: String]]>([])
    let stubs: Stubs

    /// The last answer is repeated.
    init(_ answers: StubAnswer..., device: StubAnswer = .json("{}"), clock: StubClock? = nil) {
        let rest = Locked(answers)
        stubs = clock.map { Stubs(clock: $0) } ?? Stubs()
        stubs.on(.post, "/token").optional().answer(with: { [forms] call in
            forms.withLock { $0.append(Self.fields(of: call)) }
            return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        })
        stubs.on(.post, "/device").optional().answer(with: { [forms] call in
            forms.withLock { $0.append(Self.fields(of: call)) }
            return device
        })
        stubs.on(nil, "/x").optional().answer(.text("ok"))
    }

    /// The forms that were sent, in order.
    var sent: [[String: String]] { forms.withLock { $0 } }

    /// The token with which a call is sent.
    func token(of source: TokenSource, at base: String = "http://api.example") async throws -> String? {
        let call = Call(base: base, "/x")
        call.authorization = .tokens(source)
        _ = try await stubs.run { try await call.value() }
        return call.request?.value(forHTTPHeaderField: "Authorization")?.replacing("Bearer ", with: "")
    }

    static func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/") }

    static func token(_ number: Int, _ more: String = "") -> StubAnswer {
        .json(#"{"access_token": "a\#(number)", "refresh_token": "r\#(number)", "expires_in": 3600\#(more)}"#)
    }

    static func refusal(_ code: String, status: Int = 400) -> StubAnswer {
        .json(#"{"error": "\#(code)", "error_description": "for developers"}"#, status: status)
    }

    private static func fields(of call: StubbedCall) -> [String: String] {
        let pairs = String(decoding: call.body, as: UTF8.self).split(separator: "&").map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "?" }
        }
        return Dictionary(pairs.map { ($0[0], $0.last ?? "") }) { "\($0) twice \($1)" }
    }
}

extension URL {
    /// The parameters of the query.
    var fields: [String: String] {
        let items = URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { "\($0) twice \($1)" }
    }
}
