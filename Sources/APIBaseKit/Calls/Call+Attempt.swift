import Basics
import HTTPTransport

// What the steps and the exchange tell a call of its attempt, for events, errors, and the request object.

extension Call {
    func beginAttempt(_ number: Int) { state.withLock { $0.beginAttempt(number) } }

    /// The call is about to wait for an equal one.
    func willJoin(_ request: URLRequest) { state.withLock { $0.report.request = request } }

    /// The call waits for an equal one, which reports for the first that does.
    func hasJoined(asFirst isFirst: Bool) {
        if isFirst { state.withLock { $0.isReported = true } } else { tell(of: sentRequest) { .shared($0) } }
    }

    /// The request of the attempt has been built.
    func isBuilt(_ request: URLRequest) {
        state.withLock { $0.report.request = request }
        tell(of: request) { .began($0) }
    }

    /// The request is handed to the network, or to what stands in for it.
    func isSent(_ request: URLRequest) {
        api.lastAttempt.withLock { ($0.request, $0.head) = (request, nil) }
        state.withLock { ($0.report.request, $0.phase) = (request, .head) }
        tell(of: request) { .sent($0) }
    }

    var sentRequest: URLRequest? { state.withLock { $0.report.request } }

    /// The head of a reply has come.
    func received(_ head: ResponseHead) {
        let request = state.withLock { state in
            state.phase = .body
            return state.report.request
        }
        api.lastAttempt.withLock { $0.head = head }
        tell(of: request) { .head($0, head) }
    }

    /// A stub has given its reply.
    func stubbed(_ data: Data, _ response: HTTPURLResponse) -> CallReply {
        let head = ResponseHead(response, url: response.url ?? api.request?.url ?? URL(fileURLWithPath: "/"))
        received(head)
        state.withLock { $0.report.times.received += Int64(data.count) }
        return CallReply(head, data)
    }

    /// A stored reply answers the attempt.
    func usesStored(_ head: ResponseHead, _ use: CacheOutcome, for request: URLRequest) {
        if use != .validated {
            state.withLock {
                ($0.report.request, $0.phase) = (request, .body)
                if $0.server == nil { $0.server = .unknown }
            }
            api.lastAttempt.withLock { $0.request = request }
        }
        api.lastAttempt.withLock { $0.head = head }
        tell(of: request) { .cached($0, use) }
    }

    /// Something else than the end of the attempt says how the server is.
    func notes(server outcome: ServerOutcome) { state.withLock { $0.server = outcome } }

    /// There is no token for the attempt. That says nothing of the server itself.
    func refreshFailed() { state.withLock { ($0.report.isRefreshFailed, $0.server) = (true, .unknown) } }

    /// Stores the result of an attempt where the request object and its caller find it.
    func note(_ result: Result<AttemptReply?, any Error>) {
        switch result {
        case .success(nil): break
        case .failure(let error): api.note(error)
        case .success(let reply?):
            api.lastAttempt.withLock { attempt in
                attempt.head = reply.head
                if attempt.takenBody != nil, reply.head.statusCode >= 300 {
                    attempt.takenBody?.failure = RequestError.httpFailure(HTTPFailure(reply.whole.tuple))
                }
            }
            context.locals[HeadRecorder.self]?.head.withLock { $0 = reply.head }
        }
    }
}

// MARK: Places

extension Call {
    /// The attempt has its place: its code holds these from now on.
    func beginPlace(_ places: [any HeldPlace]) { state.withLock { $0.places = places } }

    /// The attempt gives its place back; returns what is known of the server beside its result.
    func endPlace() -> ServerOutcome? {
        state.withLock { state in
            state.places = nil
            return state.server
        }
    }
}

// MARK: Another attempt

extension Call {
    /// The request of an attempt that has failed, and whether there was no token for it; `nil` if there is no other attempt.
    var failedAttempt: (request: URLRequest, isRefresh: Bool)? {
        state.withLock { state in
            guard !state.isReported, let request = state.report.request else { return nil }
            return (request, state.report.isRefreshFailed)
        }
    }

    /// Notes why there is no other attempt.
    func refusesRetry(_ reason: RetryRefusal?) -> Duration? {
        state.withLock { $0.report.refusal = reason }
        return nil
    }

    /// An attempt is over that another follows.
    func endAttempt(_ result: Result<AttemptReply?, any Error>, retryingAfter delay: Duration) {
        guard let (report, upstream) = state.withLock({ $0.endAttempt(result) }) else { return }
        // Before the cancel, in which the call may be ended by what stands around the attempt.
        tell(of: report.request) { _ in .retrying(timings(of: report), after: delay) }
        upstream?.cancel()
    }
}

// MARK: Progress

extension Call {
    /// The target for the byte counts of an exchange; `nil` for a shared call, since each call that waits for it has its own.
    func progressTarget(sending body: HTTPBody) -> ProgressTarget? {
        shared == nil ? ProgressTarget(api, sending: body) : nil
    }

    /// Takes a count of an exchange.
    func count(_ progress: ExchangeProgress, for target: ProgressTarget?) {
        shared?.progressed(progress)
        target?.count(variation.map { progress.moved(by: $0.offset()) } ?? progress)
    }
}
