public import HTTPTransport
public import PortableCombine

extension Recording: SessionScope {
    /// Answers the calls that are started inside of `body`, and writes what has been recorded at its end.
    ///
    /// If `body` throws, nothing is written: half a recording would be replayed as if it were a whole one. Calls that are
    /// still under way when `body` returns are not in the file until the next ``save()``.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``RecordingError/unwritableFile(_:reason:)``.
    public func run<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try SessionScopes.$current.withValue(RecordingScope(self), operation: body)
        try save()
        return result
    }

    /// Answers the calls that are started inside of `body`, and writes what has been recorded at its end.
    ///
    /// They are those of `body` and of everything it awaits, of child tasks and of `Task { }`; not those of
    /// `Task.detached { }`, nor of code that is handed to another queue. Scopes nest: this one answers first, and what it
    /// does not is for the one around it.
    ///
    /// If `body` throws, nothing is written: half a recording would be replayed as if it were a whole one.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which `body` runs: the caller's.
    ///   - body: What is recorded or replayed.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``RecordingError/unwritableFile(_:reason:)``.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let result = try await SessionScopes.$current.withValue(
            RecordingScope(self),
            operation: body,
            isolation: isolation
        )
        try save()
        return result
    }

    package func session(over own: any HTTPSession) -> any HTTPSession {
        let network = network ?? own
        return mode == .passThrough ? network : RecordedSession(tape: tape, network: network)
    }

    package func makeClock() -> any CallClock { mode == .replay ? ImmediateClock() : WallClock.shared }
}

/// A recording as it holds in one scope: what it does not answer is for the scope around it.
final class RecordingScope: SessionScope {
    private let recording: Recording
    private let outer = SessionScopes.current

    init(_ recording: Recording) {
        self.recording = recording
    }

    /// A session that stands in for the network itself is more particular than the scope, and stays.
    func session(over own: any HTTPSession) -> any HTTPSession {
        own is any SessionScope ? own : recording.session(over: outer?.session(over: own) ?? own)
    }

    func makeClock() -> any CallClock {
        recording.mode == .replay ? recording.makeClock() : outer?.makeClock() ?? recording.makeClock()
    }
}

extension Recording: HTTPSession {
    /// One hop, answered from the file or by the network, as the mode says.
    ///
    /// The body of the request is read first, also from a file or a stream.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        session(over: DefaultSession.shared).exchange(request)
    }
}

/// A recording on the network that one call has.
final class RecordedSession: HTTPSession {
    let tape: Tape
    let network: any HTTPSession

    init(tape: Tape, network: any HTTPSession) {
        self.tape = tape
        self.network = network
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        ColdPublisher { RecordedExchange(request, of: self, for: $0) }.eraseToAnyPublisher()
    }
}
