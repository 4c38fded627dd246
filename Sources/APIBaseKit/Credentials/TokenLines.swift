import Basics
import HTTPTransport

/// The tokens of a source for one scope of calls: each server has its own, and is never given those of another.
final class TokenLines: Sendable {
    private struct State {
        /// The first token, until the server that it belongs to is known.
        var first: Token?
        /// By the origins of the servers; `nil` stands for a request without a URL, which is refused later.
        var lines: [Origin?: TokenLine] = [:]
    }

    /// The number of servers from which on those are forgotten that nothing waits for.
    private static let most = 256

    private let state: Locked<State>
    private let limit: Duration
    private let refresh: TokenSource.Refresh

    init(first: Token?, within limit: Duration, refresh: @escaping TokenSource.Refresh) {
        state = Locked(State(first: first))
        self.limit = limit
        self.refresh = refresh
    }

    /// The line of one server. The first token belongs to the first that is asked for.
    func line(for origin: Origin?) -> TokenLine {
        let (line, forgotten) = state.withLock { state -> (TokenLine, [Origin?: TokenLine]) in
            if let line = state.lines[origin] { return (line, [:]) }
            // What is forgotten costs another refresh.
            let forgotten = state.lines.count < Self.most ? [:] : state.lines.filter { $0.value.isIdle }
            for origin in forgotten.keys { state.lines[origin] = nil }
            let line = TokenLine(state.first.take(), within: limit, refresh: refresh)
            state.lines[origin] = line
            return (line, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        return line
    }

    /// The number of calls that wait for a refresh.
    var waiterCount: Int { state.withLock { $0.lines.values }.reduce(0) { $0 + $1.waiterCount } }
}
