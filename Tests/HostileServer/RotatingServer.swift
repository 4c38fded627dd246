import Basics
import LoopbackServer
package import Foundation

/// An authorization server and its API. It replaces the refresh token with each use, and detects the use of one that it
/// has replaced.
///
/// `POST /token` takes refresh tokens `r0`, `r1`, …, and gives access tokens of the same number. `GET /api` takes the
/// newest access token, until it has expired. `GET /round` waits for all clients; then all access tokens have expired.
package final class RotatingServer: Sendable {
    private struct State {
        var number = 0
        var expired = 0
        var uses = 0
        var isNewestUsed = true
        var arrived = 0
        var refreshes = 0
        var rounds: [Int] = []
        var reused: [String] = []
        var repeated = 0
    }

    private let server: HTTPServer

    package var url: URL { server.url }

    private let state: Locked<State>
    private let ends: Locked<[DispatchSemaphore]>

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - clients: The number of clients of a round.
    ///   - uses: The number of calls after which an access token expires.
    ///   - isForgiving: Whether a replaced refresh token may be used again until the new one is used, as after a lost
    ///     response.
    /// - Throws: `SocketError`.
    package init(clients: Int = 1, uses: Int = .max, isForgiving: Bool = false) throws {
        let (state, ends) = (Locked(State()), Locked<[DispatchSemaphore]>([]))
        (self.state, self.ends) = (state, ends)
        server = try HTTPServer { request in
            switch request.path {
            case "/token": Self.token(request, isForgiving, state)
            case "/round": Self.round(clients, state, ends)
            default: Self.call(request, uses, state)
            }
        }
    }

    package func stop() {
        // Those that still wait for the end of a round.
        for end in ends.withLock({ $0 }) { end.signal() }
        server.stop()
    }

    /// The number of refreshes in each round.
    package var rounds: [Int] { state.withLock { $0.rounds } }

    /// The refresh tokens that were used after they were replaced.
    package var reused: [String] { state.withLock { $0.reused } }

    /// The number of refresh tokens, and of those that were used again in time.
    package var counts: (tokens: Int, repeated: Int) { state.withLock { ($0.number, $0.repeated) } }

    private static func token(_ request: ServerRequest, _ isForgiving: Bool, _ state: Locked<State>) -> ServerResponse {
        let fields = String(decoding: request.body, as: UTF8.self).split(separator: "&")
        let text = fields.first { $0.hasPrefix("refresh_token=r") }?.dropFirst("refresh_token=r".count)
        let result = state.withLock { state -> Int? in
            guard let number = text.flatMap({ Int($0) }) else { return nil }
            if number == state.number {
                state.number += 1
                (state.refreshes, state.uses, state.isNewestUsed) = (state.refreshes + 1, 0, false)
            } else if isForgiving, number == state.number - 1, !state.isNewestUsed {
                state.repeated += 1
            } else {
                state.reused.append("r\(number) after r\(state.number)")
                return nil
            }
            return state.number
        }
        usleep(.random(in: 0...2_000))
        guard let result else { return .json(Data(#"{"error": "invalid_grant"}"#.utf8), status: 400) }
        let token = #"{"access_token": "a\#(result)", "refresh_token": "r\#(result)", "expires_in": 3600}"#
        return .json(Data(token.utf8))
    }

    private static func call(_ request: ServerRequest, _ uses: Int, _ state: Locked<State>) -> ServerResponse {
        let header = request.headers.values(for: "Authorization").first ?? ""
        let isValid = state.withLock { state in
            guard header == "Bearer a\(state.number)", state.number > state.expired, state.uses < uses else {
                return false
            }
            state.uses += 1
            state.isNewestUsed = true
            return true
        }
        return .text("", status: isValid ? 200 : 401)
    }

    private static func round(
        _ clients: Int,
        _ state: Locked<State>,
        _ ends: Locked<[DispatchSemaphore]>
    ) -> ServerResponse {
        let end = DispatchSemaphore(value: 0)
        ends.withLock { $0.append(end) }
        let isLast = state.withLock { state in
            state.arrived += 1
            guard state.arrived == clients else { return false }
            state.rounds.append(state.refreshes)
            (state.arrived, state.refreshes, state.expired) = (0, 0, state.number)
            return true
        }
        if isLast {
            let waiting = ends.withLock { ends in
                defer { ends = [] }
                return ends
            }
            for end in waiting { end.signal() }
        }
        return .text("", status: end.wait(timeout: .now() + 300) == .success ? 200 : 500)
    }
}
