public import HTTPTransport
public import PortableCombine

extension Recording: SessionScope {
    /// Answers the calls that are started inside of `body`, and writes what has been recorded at its end.
    ///
    /// If `body` throws, nothing is written: half a recording would be replayed as if it were a whole one.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``RecordingError/unwritableFile(_:reason:)``.
    public func run<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try SessionScopes.$current.withValue(self, operation: body)
        try save()
        return result
    }

    /// Answers the calls that are started inside of `body`, and writes what has been recorded at its end.
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
        let result = try await SessionScopes.$current.withValue(self, operation: body, isolation: isolation)
        try save()
        return result
    }

    package func session(over own: any HTTPSession) -> any HTTPSession {
        let network = network ?? own
        return mode == .passThrough ? network : RecordedSession(tape: tape, network: network)
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
        RecordedExchange.Publisher(session: self, request: request).eraseToAnyPublisher()
    }
}
