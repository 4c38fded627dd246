public import HTTPTransport
public import PortableCombine

extension Recording {
    /// The same as ``run(isolation:_:)`` for code that is not `async`. Calls that are still under way when `body` returns are not
    /// in the file until the next ``save()``.
    public func run<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try hold(body)
        try save()
        return result
    }

    /// Answers the calls that are started inside of `body`, and writes what has been recorded at its end.
    ///
    /// They are those of `body` and of everything it awaits, of child tasks and of `Task { }`; not those of
    /// `Task.detached { }`, nor of code that is handed to another queue: see ``Stubs/run(isolation:_:)``, which holds here as
    /// well. Scopes nest: this one answers first, and what it does not is for the one around it.
    ///
    /// If `body` throws, nothing is written: half a recording would be replayed as if it were a whole one.
    ///
    /// - Throws: What `body` throws, or ``RecordingError/unwritableFile(_:reason:)``.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let result = try await hold(isolation: isolation, body)
        try save()
        return result
    }
}

extension Recording: Substitute {
    var answerClock: StubClock? { store.records || mode == .passThrough ? nil : .immediate }

    func answer(to call: inout PendingCall) -> PendingCall.Answer? {
        guard mode != .passThrough else { return nil }
        let recorded = HAR.Request(call.request.urlRequest, body: call.call.body)
        let comparable = store.comparable(recorded, secretHeaders: call.request.secretHeaders)
        switch store.entry(for: comparable) {
        case .success(let entry)?: return .give(.reply(entry.reply))
        case .failure(let error)?: return .fail(error)
        case nil: call.recorded[ObjectIdentifier(self)] = comparable
        }
        if store.records {
            let secretHeaders = call.request.secretHeaders
            call.builders.append(RecordedEntryBuilder(recorded, secretHeaders: secretHeaders, in: store))
        }
        return nil
    }

    func verdict(on call: PendingCall) -> PendingCall.Verdict? {
        guard !store.records, let request = call.recorded[ObjectIdentifier(self)] else { return nil }
        return .fail(store.refusal(of: request))
    }
}

extension Recording: HTTPSession {
    /// One hop, answered from the file or by the network, as the mode says.
    ///
    /// The body of the request is read first, also from a file or a stream.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        hop(request)
    }
}
