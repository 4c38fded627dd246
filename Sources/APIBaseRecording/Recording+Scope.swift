import APIBaseKit
package import APIBaseStubs
public import HTTPTransport
public import PortableCombine

extension Recording {
    /// Answers the calls that are started inside of `body`, and writes what has been recorded at its end.
    ///
    /// The scope covers the same calls as that of stubs: see ``/APIBaseStubs/Stubs/run(isolation:_:)``. Scopes can be
    /// nested: this one answers first, and leaves what it does not answer to the one around it.
    ///
    /// If `body` throws, nothing is written, since an incomplete recording could not be told from a complete one.
    ///
    /// - Throws: The error that `body` throws, or ``RecordingError/unwritableFile(_:reason:)``.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let result = try await runUnchecked(isolation: isolation, body)
        try save()
        return result
    }

    /// The same for code that is not `async`. Calls that have not ended when `body` returns are missing in the file
    /// until the next ``save()``.
    public func run<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try runSynchronously(body)
        try save()
        return result
    }
}

extension Recording: NetworkStandIn {
    package var answerClock: StubClock? { store.records || mode == .passThrough ? nil : .immediate }

    package func answer(to call: inout PendingCall) -> PendingCall.Answer? {
        guard mode != .passThrough else { return nil }
        let request = HAR.Request(call.request.urlRequest, body: call.keptBody)
        let secretHeaders = call.request.secretHeaders
        let comparable = store.comparable(request, secretHeaders: secretHeaders)
        switch store.entry(for: comparable) {
        case .success(let entry)? where entry.response.status == 101 && call.request.upgrade != nil:
            return .give(store.answer(with: entry, to: comparable, secretHeaders: secretHeaders))
        case .success(let entry)?:
            call.call.isReplayed = true
            return .give(.reply(entry.reply))
        case .failure(let error)?: return .fail(error)
        case nil: break
        }
        if store.records {
            let isKept = !call.call.isCoded
            var recorder = EntryRecorder(request, isWhole: isKept, secretHeaders: secretHeaders, in: store)
            recorder.upgrade = call.request.upgrade
            call.watchers.append(recorder)
        }
        return nil
    }

    package func fallback(for call: PendingCall) -> PendingCall.Fallback? {
        guard !store.records, mode != .passThrough else { return nil }
        let request = HAR.Request(call.request.urlRequest, body: call.keptBody)
        return .fail(store.unmatched(store.comparable(request, secretHeaders: call.request.secretHeaders)))
    }
}

extension PendingCall {
    /// The body of the request; empty if it is coded, since no secrets can be found in it.
    fileprivate var keptBody: Data { call.isCoded ? Data() : call.body }
}

extension Recording: HTTPSession {
    /// Answers one hop, from the file or by the network, depending on the mode.
    ///
    /// The body of the request is read first, also from a file or a stream.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }
}
