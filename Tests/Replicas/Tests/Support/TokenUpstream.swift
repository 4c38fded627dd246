import Foundation
import Synchronization

@testable import LoopbackServer

/// An upstream whose access tokens last for a second, and which takes each refresh token once.
///
/// The former refresh token is taken again if nobody has used the new ones, since they may have been lost on the way.
public final class TokenUpstream: Sendable {
    /// What it has seen.
    public struct State: Sendable {
        /// The number of the last tokens.
        public var last = 0
        /// When the access token ends.
        public var end = Date.distantPast
        /// Who has used each refresh token.
        public var users: [Int: [String]] = [:]
        /// The number of refreshes while the access token was still good.
        public var early = 0
        /// The refresh tokens that were refused.
        public var refused: [String] = []
        /// The number of calls that were answered.
        public var calls = 0
        /// The refresh token that has led to the last one, and whether anybody has used that.
        fileprivate var (former, isLastUsed) = (-1, true)
    }

    private let mutex = Mutex(State())
    private let server = Mutex<HTTPServer?>(nil)
    /// Called with the name of the client before its refresh is answered.
    private let onRefresh: @Sendable (String) -> Void

    /// How long an access token lasts.
    public static let lifetime = 1.0

    /// Starts it.
    public init(onRefresh: @escaping @Sendable (String) -> Void = { _ in }) throws {
        self.onRefresh = onRefresh
        let new = try HTTPServer { [weak self] in self?.response(to: $0) ?? .error(503, "") }
        server.withLock { $0 = new }
    }

    /// Where it is.
    public var url: URL? { server.withLock { $0?.url } }

    /// What it has seen so far.
    public var state: State { mutex.withLock { $0 } }

    private func response(to request: ServerRequest) -> ServerResponse {
        if request.path == "/data" {
            return mutex.withLock { state in
                let isGood = request.headers["Authorization"] == "Bearer access-\(state.last)" && state.end > Date()
                guard isGood else { return .error(401, "expired") }
                (state.calls, state.isLastUsed) = (state.calls + 1, true)
                return .json(Data(#""data""#.utf8))
            }
        }
        let form = URLComponents(string: "?" + String(decoding: request.body, as: UTF8.self))?.queryItems ?? []
        let fields = Dictionary(form.map { ($0.name, $0.value ?? "") }) { $1 }
        let answer = mutex.withLock { $0.refresh(by: fields["client_id"] ?? "", with: fields["refresh_token"] ?? "") }
        onRefresh(fields["client_id"] ?? "")
        return answer
    }
}

extension TokenUpstream.State {
    fileprivate mutating func refresh(by client: String, with token: String) -> ServerResponse {
        let number = Int(token.replacingOccurrences(of: "refresh-", with: "")) ?? -1
        let isAgain = number == former && !isLastUsed
        guard number == last || isAgain else {
            refused.append("\(token) by \(client)")
            return .json(Data(#"{"error": "invalid_grant"}"#.utf8), status: 400)
        }
        users[number, default: []].append(client)
        if !isAgain, end > Date() { early += 1 }
        last += 1
        (former, isLastUsed, end) = (number, false, Date() + TokenUpstream.lifetime)
        let body = """
            {"access_token": "access-\(last)", "refresh_token": "refresh-\(last)", "token_type": "Bearer", "expires_in": 1}
            """
        return .json(Data(body.utf8))
    }
}
