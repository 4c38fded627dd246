import Basics
import HTTPTransport

/// A rule for equal calls that are under way at the same time.
public enum Sharing: Sendable, Hashable {
    /// Each call has its own exchange.
    case none
    /// Equal calls share one exchange if they have a safe method (RFC 9110, section 9.2.1) and no body, or
    /// are a `QUERY` with the same body in memory.
    ///
    /// Calls are equal if they have the same class, account, method, URL, headers, credentials, timeouts,
    /// ``APIBase/limits``, ``APIBase/secretHeaders``, ``APIBase/retry``, session, ``APIBase/cache`` and
    /// ``APIBase/gate``. ``RetryPolicy/backoff`` and the changes of ``APIBase/intercept(_:next:)`` are not compared: an
    /// API that identifies the user there must not share. An object with a stub of its own, such as
    /// ``APIBase/stub(error:)``, shares only with itself. The first call is sent, with its retries, and reports the
    /// events; the others report ``CallEvent/shared(_:)`` and get the same response or error, which each call checks
    /// and decodes itself. The exchange is canceled when all of them are. A call that begins after the response has
    /// arrived is sent anew. Streams, downloads and polls are never shared.
    ///
    /// An attempt that awaits an equal call from a detached task or a queue waits for itself, until
    /// ``RetryPolicy/deadline``. In the attempt's own task such a call is sent separately, and so is one that a
    /// ``TokenSource`` makes to renew its token.
    case safeMethods
}

/// An exchange (a request and its response) for which equal calls wait.
final class SharedCall: Sendable {
    /// A waiting call.
    struct Waiter: Sendable {
        let call: Call
        let progress: ProgressReporter
        let then: PendingResponse.Receiver
    }

    private struct State {
        /// By the numbers of the calls, which increase.
        var waiters: [Int: Waiter] = [:]
        /// The call that is sent, while it runs.
        var call: Call?
        var isOver = false
    }

    let key: ShareKey
    private let state = Locked(State())

    init(key: ShareKey) { self.key = key }

    /// Adds a call; false if the exchange is over.
    func add(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            if !state.isOver { state.waiters[waiter.call.id] = waiter }
            return !state.isOver
        }
    }

    /// Starts the exchange with the settings of the first waiting call.
    func start(like first: Call) {
        let receiver = ResponseReceiver { event in
            switch event {
            case .subscription: break
            case .reply(let reply): self.end(.success(reply))
            case .completion(.finished): self.end(.success(nil))
            case .completion(.failure(let error)): self.end(.failure(error))
            }
            return .none
        }
        let call = Call(
            of: first.api,
            in: first.context,
            scope: first.scope?.withoutDeadline,
            for: .whole(receiver),
            variant: self,
            settings: first.settings
        )
        let isWanted = state.withLock { state in
            if !state.isOver { state.call = call }
            return !state.isOver
        }
        guard isWanted else { return }
        call.request(.max(1))
        call.begin()
    }

    /// Removes a canceled call. The last one cancels the exchange.
    func leave(_ number: Int) {
        let (waiter, call, isOver) = state.withLock { state -> (Waiter?, Call?, Bool) in
            let waiter = state.waiters.removeValue(forKey: number)
            guard waiter != nil, state.waiters.isEmpty, !state.isOver else { return (waiter, nil, false) }
            state.isOver = true
            return (waiter, state.call.take(), true)
        }
        if isOver { SharedCalls.shared.remove(self) }
        if let error = waiter?.call.deadlineError { call?.expire(with: error) } else { call?.cancel() }
        withExtendedLifetime(waiter) {}
    }

    private func end(_ result: Result<CallResponse?, any Error>) {
        let (waiters, call) = state.withLock { state in
            defer { (state.isOver, state.waiters, state.call) = (true, [:], nil) }
            return (state.waiters.sorted { $0.key < $1.key }.map(\.value), state.call)
        }
        SharedCalls.shared.remove(self)
        let deliver: @Sendable (Waiter) -> Void = { waiter in
            // The response may repeat the secrets of the requests.
            if let report = call?.state.withLock({ $0.report }) {
                waiter.call.state.withLock { $0.takeRequests(of: report) }
            }
            if let time = call?.clock.scopeTime { waiter.call.clock.catchUp(to: time) }
            // On an immediate clock, the shared exchange may have passed the deadline of the scope.
            guard waiter.call.deadlineError == nil else { return waiter.call.expire() }
            waiter.progress.flush { waiter.then(result.map { $0.map { AttemptResponse(whole: $0) } }) }
        }
        // Not one after the other, since each may take long.
        for waiter in waiters.dropFirst() { waiter.call.endWait { deliver(waiter) } }
        if let first = waiters.first { deliver(first) }
    }
}

extension SharedCall: CallVariant {
    /// Not built again, since the request object may have changed.
    func request(_ build: () throws -> URLRequest) throws -> URLRequest { key.request }

    /// Each waiting call has its own.
    var reportsProgress: Bool { false }

    func count(_ progress: ExchangeRequest.Progress, for reporter: ProgressReporter?) {
        for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.progress.count(progress) }
    }
}

/// The running exchanges that may be shared.
final class SharedCalls: Sendable {
    static let shared = SharedCalls()

    private let calls = Locked<[ShareKey: SharedCall]>([:])

    /// Joins an exchange of equal calls, or makes one, which is then to be started.
    func join(_ key: ShareKey, as waiter: SharedCall.Waiter) -> (call: SharedCall, isNew: Bool) {
        calls.withLock { calls in
            if let call = calls[key], call.add(waiter) { return (call, false) }
            let call = SharedCall(key: key)
            _ = call.add(waiter)
            calls[key] = call
            return (call, true)
        }
    }

    func remove(_ call: SharedCall) {
        let removed = calls.withLock { calls in calls[call.key] === call ? calls.removeValue(forKey: call.key) : nil }
        withExtendedLifetime(removed) {}
    }
}

/// The key by which calls share an exchange: class, request, settings, and where it is sent.
struct ShareKey: Hashable, Sendable {
    private struct Parts: Hashable {
        let type: ObjectIdentifier
        let method: String
        let url: String
        let headers: [String: String]
        /// That of a `QUERY`, whose meaning is in it.
        let body: Data?
        let timeout: TimeInterval
        let cachePolicy: UInt
        let settings: CallSettings
        @ByIdentity var session: AnyObject?
        /// The object that answers in place of the network: the stubs, or first of all the object's own stub.
        @ByIdentity var standInOwner: AnyObject?
    }

    /// Unchecked: these are values, and objects that are only compared.
    private let parts: UncheckedSendable<Parts>
    /// The request to send, unaffected by later changes of the request object. Its parts are compared instead.
    let request: URLRequest

    /// Creates a key; `nil` if the request cannot be built, or the call may not be shared.
    init?(_ call: Call) {
        let built = call.context.run { Result { try call.inScope(call.buildRequest) } }
        guard let request = try? built.get(), request.method.isSafe,
            let body = try? call.api.transportBody(of: request), body.isEmpty || request.hasQueryInMemory
        else { return nil }
        self.request = request
        parts = UncheckedSendable(
            Parts(
                type: ObjectIdentifier(type(of: call.api)),
                method: request.httpMethod ?? "GET",
                url: request.url?.absoluteString ?? "",
                headers: request.allHTTPHeaderFields ?? [:],
                body: body.isEmpty ? nil : request.httpBody,
                timeout: request.timeoutInterval,
                cachePolicy: request.cachePolicy.rawValue,
                settings: call.settings,
                session: call.ownSession,
                standInOwner: call.api.dataTaskPublisher == nil ? call.standInOwner : call.api
            )
        )
    }

    static func == (left: ShareKey, right: ShareKey) -> Bool { left.parts.value == right.parts.value }

    /// Hashes only the properties that usually differ.
    func hash(into hasher: inout Hasher) {
        hasher.combine(parts.value.type)
        hasher.combine(parts.value.url)
        hasher.combine(parts.value.body)
    }
}

extension URLRequest {
    /// Whether it is a `QUERY` with a body that can be compared.
    fileprivate var hasQueryInMemory: Bool { method == .query && httpBody != nil }
}
