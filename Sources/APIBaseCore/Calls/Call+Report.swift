import Basics
package import HTTPTransport

// The steps report each attempt to the call, and so does its exchange (a request and its response). The call needs
// that for its events, its errors and the request object.

extension Call {
    func beginAttempt(_ number: Int) {
        let last = state.withLock { $0.beginAttempt(number) }
        withExtendedLifetime(last) {}
    }

    func isBuilt(_ request: URLRequest) { change({ $0.replaceRequest(by: request) }, andEmit: { .began($0) }) }

    /// The request is handed to the session or a stub.
    ///
    /// - Returns: Whether the request object has had no progress before.
    func isSent(_ request: URLRequest) -> Bool {
        // The last request is released outside the lock.
        let (hasProgress, last) = api.shared.withLockUnchecked { object in
            defer { (object.request, object.head, object.hasProgress) = (request, nil, true) }
            return (object.hasProgress, (object.request, object.head))
        }
        withExtendedLifetime(last) {}
        effectRecorder?.sent()
        change {
            $0.replaceRequest(by: request)
            $0.phase = .head
        } andEmit: {
            .sent($0)
        }
        return !hasProgress
    }

    /// The recorder of what the requests may have done, which does not count those that renew a token.
    private var effectRecorder: HeadRecorder? { variant == nil ? nil : context.locals[HeadRecorder.self] }

    package var sentRequest: URLRequest? { state.withLock { $0.report.request } }

    /// Tells the head of the response that counts, and keeps it in the request object.
    package func received(_ head: ResponseHead) {
        api.shared.withLock { $0.head = head }
        if let effectRecorder {
            let isRedirected = state.withLock { !$0.report.redirects.isEmpty }
            effectRecorder.answered(by: head.statusCode, isRedirected: isRedirected)
        }
        change({ $0.phase = .body }, andEmit: { .head($0, head) })
    }

    /// The exchange has ended. If it has failed before it sent anything, no server has performed its request.
    func exchangeEnded(_ completion: Subscribers.Completion<TransportError>) {
        guard let effectRecorder, case .failure(let error) = completion, error.isBeforeSending else { return }
        // Bytes that were sent may have been those of the same request on a stale connection.
        if state.withLock({ $0.report.times.sent == 0 }) { effectRecorder.failedBeforeSending() }
    }

    package func receivedFirstEvent() { state.withLock { $0.report.times.firstEvent = elapsed } }

    func stubbed(_ data: Data, _ response: HTTPURLResponse, isCopy: Bool = false) -> CallResponse {
        let head = ResponseHead(response, url: response.url ?? api.request?.url ?? URL(fileURLWithPath: "/"))
        if !isCopy { received(head) }
        state.withLock { $0.report.times.addHop(receiving: Int64(data.count)) }
        return CallResponse(head, data)
    }

    /// The attempt waits for a token, which it may do twice.
    func waitsForCredentials() { state.withLock { $0.awaitCredentials() } }

    func waitedForCredentials(since start: Duration) {
        let wait = elapsed - start
        state.withLock { state in
            state.phase = .request
            state.report.credentials = (state.report.credentials ?? .zero) + wait
        }
    }

    /// There is no token for the attempt, which is no sign of the server's health.
    func refreshFailed() { state.withLock { ($0.report.isRefreshFailed, $0.server) = (true, .unknown) } }

    /// Records the result of an attempt in the request object, and for the code that has started the call. Errors have
    /// no secrets any more.
    func record(_ result: Result<AttemptResponse?, any Error>) {
        switch result {
        case .success(nil): break
        case .failure(let error): api.record(error)
        case .success(let reply?):
            api.shared.withLock { object in
                object.head = reply.head
                if object.takenBody != nil, reply.head.statusCode >= 300 {
                    object.takenBody?.failure = RequestError.httpFailure(HTTPFailure(reply.whole.tuple))
                }
            }
            guard let recorder = context.locals[HeadRecorder.self] else { return }
            recorder.record(reply.head, recorder.secretsOfNamer == nil ? .none : ownSecrets)
        }
    }

    /// The request of a failed attempt, and whether its token was missing; `nil` if there is no other attempt.
    var failedAttempt: (request: URLRequest, isRefresh: Bool)? {
        state.withLock { state in
            guard !state.isReported, let request = state.report.request else { return nil }
            return (request, state.report.isRefreshFailed)
        }
    }

    func stopRetrying(_ reason: RetryPolicy.StopReason?) -> Duration? {
        state.withLock { $0.report.stopReason = reason }
        return nil
    }

    func endAttempt(_ result: Result<AttemptResponse?, any Error>, retryingAfter delay: Duration) {
        guard let (report, upstream) = state.withLockUnchecked({ $0.endAttempt(result) }) else { return }
        // Before the upstream is canceled, which may end the call.
        emit { _ in .retrying(timings(of: report), after: delay) }
        upstream?.cancel()
    }
}

// MARK: Events

extension Call {
    /// The times of the call so far, with those of its last attempt.
    func timings(of report: CallState.Report) -> CallTimings {
        CallTimings(
            call: CallEvent.Info(of: self, report.attempt, report.request, others: report.otherRequests),
            whole: elapsed,
            isStubbed: clock !== WallClock.shared,
            report: report
        )
    }

    /// Reports an event before the end, unless the end has been reported.
    package func emit(for request: URLRequest? = nil, _ event: (CallEvent.Info) -> CallEvent) {
        change({ _ in }, andEmit: event, for: request)
    }

    /// Changes the state, and reports an event about its request, unless the end has been reported.
    private func change(
        _ change: (inout CallState) -> Void,
        andEmit event: (CallEvent.Info) -> CallEvent,
        for request: URLRequest? = nil
    ) {
        let report = state.withLockUnchecked { state in
            change(&state)
            return state.isOver || state.isReported ? nil : state.report
        }
        guard let report else { return }
        tell(event(CallEvent.Info(of: self, report.attempt, request ?? report.request, others: report.otherRequests)))
    }

    func tell(_ event: CallEvent) {
        for watcher in watchers { watcher.report(event) }
        api.report(event)
        observer?(event)
    }

    func reportFailure(_ error: any Error, _ report: CallState.Report) {
        var report = report
        report.error = error
        tell(.failed(error, timings(of: report)))
    }

    /// Reports that the attempt is sent again: with another token, or as another request.
    package func reportRefresh() { emit { .refreshed($0) } }
}

// MARK: Progress

extension Call {
    /// The reporter for the byte counts of an exchange; `nil` if they are not those of the request object.
    func progressReporter(sending body: HTTPBody, isFirst: Bool) -> ProgressReporter? {
        guard variant?.reportsProgress != false else { return nil }
        let isContinued = variant?.continuesProgress == true
        return ProgressReporter(api, sending: body, isFirst: isFirst, isContinued: isContinued)
    }

    /// Takes a count of an exchange.
    func count(_ progress: ExchangeRequest.Progress, for reporter: ProgressReporter?) {
        if let variant { variant.count(progress, for: reporter) } else { reporter?.count(progress) }
    }
}

// MARK: The transport's view

extension Call: APICaller {
    package var type: any AnyObject.Type { Swift.type(of: api) }

    package var coders: (decoder: JSONDecoder, encoder: JSONEncoder)? {
        (api as? JSONAPI).map { ($0.decoder, $0.encoder) }
    }

    package var endpointPath: EndpointPath? { api.endpointPath }
    package var startPlace: (fileID: String, line: Int)? { api.own.value.place }

    package var standing: CallStanding { state.withLock { $0.standing } }

    package var baseURL: URL? { context.run { inScope { api.effectiveBaseURL } } }

    package func refusal(of request: ExchangeRequest) -> (any Error)? {
        standInOwner == nil ? StandIns.outside.withLock { $0 }?.problem(request) : nil
    }

    package func redirect(_ next: ExchangeRequest, after head: ResponseHead) -> URLRequest? {
        let request = inContext {
            inScope {
                api.redirect(next.urlRequest, after: head.httpURLResponse).map { signedAnew($0, with: next.body) }
            }
        }
        if let request { state.withLock { $0.report.redirects.append(.init(head: head, next: request)) } }
        return request
    }

    package func hopEnded(_ report: HopReport) { state.withLock { $0.report.times.add(report) } }
}
