public import HTTPTransport
import Basics

/// Stubs for all calls of a scope, or of the request objects that have them as their session.
///
/// ```swift
/// let stubs = Stubs()
/// stubs.on(UsersRequest.self).answer(.json([User(id: 1, name: "User 1")]))
/// stubs.on(.get, "/posts/:id").answer { call in .json(["id": call.parameters["id"]]) }
///
/// try await stubs.run {
///     let screen = Screen()
///     try await screen.load()       // makes its own request objects
///     #expect(screen.names == ["User 1"])
/// }
/// ```
///
/// A stub replaces the network and nothing else: requests are built and checked, redirects are followed, and responses
/// are limited, validated and decoded as usual. Nothing is process-wide; see ``run(isolation:_:)`` for what a scope
/// covers.
///
/// A request that no stub answers fails, and so does the scope if a stub was never used.
public final class Stubs: Sendable {
    /// The rule for a request that no stub answers.
    public enum Unmatched: Sendable, Hashable {
        /// The request fails with ``StubProblem/unmatched(request:nearest:)``, and so does the check of the scope.
        case fail
        /// The request is sent, on the session it would have used without stubs.
        case passThrough
    }

    /// A wait of a call, or of ``/APIBaseKit/CallScope/sleep(for:)``.
    public struct Wait: Sendable, Hashable {
        /// The reason.
        public let reason: CallScope.WaitReason
        /// The duration, by the clock of the stubs.
        public let duration: Duration

        /// Creates a wait, to compare others with: `#expect(stubs.waits == [.init(.retry, .seconds(2))])`.
        public init(_ reason: CallScope.WaitReason, _ duration: Duration) {
            (self.reason, self.duration) = (reason, duration)
        }
    }

    private struct State {
        var stubs: [Stub] = []
        var waits: [Wait] = []
        var calls: [StubbedCall] = []
        /// The problems of requests in their order, and whether the observer has reported them.
        var problems: [(problem: StubProblem, isReported: Bool)] = []
    }

    /// The rule for a request that no stub answers.
    public let unmatched: Unmatched
    /// The clock of the stubs' delays and of their calls' timeouts.
    public let clock: StubClock
    private let state = Locked(State())
    /// Compares its calls and their answers with something else.
    private let inspector: (any CallInspector)?
    /// Called where the call was started, when its problem occurs. Returns whether it has reported the problem.
    private let observer: (@Sendable (StubProblem) -> Bool)?

    /// Creates an empty set of stubs.
    public convenience init(unmatched: Unmatched = .fail, clock: StubClock = .immediate) {
        self.init(unmatched: unmatched, clock: clock, observer: nil)
    }

    package init(
        unmatched: Unmatched,
        clock: StubClock,
        inspector: (any CallInspector)? = nil,
        observer: (@Sendable (StubProblem) -> Bool)?
    ) {
        self.unmatched = unmatched
        self.clock = clock
        self.inspector = inspector
        self.observer = observer
    }

    /// The stubs of the innermost scope of the running code; nil outside of all scopes.
    public static var current: Stubs? { (StandIns.current as? NestedScope)?.innermost(Stubs.self) }

    /// Every request of the scope in the order of sending, also those without an answer.
    public var calls: [StubbedCall] { state.withLock { $0.calls } }

    /// The waits of the scope's calls, in order: the delays before further attempts, also as
    /// `Retry-After` asks, reconnections, and ``/APIBaseKit/CallScope/sleep(for:)``, each when it begins; and turns at
    /// gates, each when it has ended, with the time that it took. The delays of answers are not among them. On the
    /// immediate clock the waits take no time, and are listed all the same.
    public var waits: [Wait] { state.withLock { $0.waits } }

    /// The problems so far: requests that no stub could answer, a manual clock that was not moved, then stubs that were
    /// not used, then what clients of sockets should have sent, then what is not as the document of the API says. Only
    /// the end of an `async` ``run(isolation:_:)``, and of a test with stubs, waits for stubs of sockets that still
    /// expect something.
    public var problems: [StubProblem] {
        let problems = state.withLock { $0.problems }
        return problems.map(\.problem) + finalProblems.map(\.problem)
    }

    /// Checks that every request was answered, every stub was used unless it is optional, and a manual clock was moved.
    ///
    /// - Throws: ``StubProblems`` with all problems.
    public func verify() throws(StubProblems) {
        let problems = problems
        if !problems.isEmpty { throw StubProblems(problems: problems) }
    }

    /// The problems that the observer has not reported, and where the stub of each was set up.
    package var unreportedProblems: [(problem: StubProblem, place: SourcePlace?)] {
        let problems = state.withLock { $0.problems }
        return problems.filter { !$0.isReported }.map { ($0.problem, nil) } + finalProblems
    }

    private var finalProblems: [(problem: StubProblem, place: SourcePlace?)] {
        let (stubs, calls) = state.withLock { ($0.stubs, $0.calls) }
        let unused = stubs.filter(\.isUnused).map { stub in
            let takers = calls.filter { stub.pattern.match($0).mismatches.isEmpty }.map(\.stubID)
            let names = stubs.filter { takers.contains(ObjectIdentifier($0)) }.map {
                "“\($0.name)” (\($0.place.description))"
            }
            return (StubProblem.unused(stub: stub.name, takers: .init(names)), stub.place as SourcePlace?)
        }
        let unmet = stubs.flatMap { stub in
            stub.expectations.problems.map { problem in
                (StubProblem.socket(stub: stub.name, finding: problem), stub.place as SourcePlace?)
            }
        }
        return (clock.problem.map { [($0, nil)] } ?? []) + unused + unmet + (inspector?.problems ?? [])
    }

    /// Waits for what the stubs of sockets expect of their clients, so that ``problems`` has it. Ten seconds at most.
    package func settleSockets() async {
        await withTaskGroup(of: Void.self) { group in
            for stub in state.withLock({ $0.stubs }) { group.addTask { await stub.expectations.settle() } }
        }
    }
}

extension Stubs {
    /// Adds a stub for the requests of a class and its subclasses.
    ///
    /// All conditions have to hold. If several stubs match, the one that was added first answers, unless another one is
    /// ``Stub/overriding()``.
    ///
    /// `type` is a leaf class, or an API class for all of its requests. `query` and `headers` have patterns by name;
    /// others may be present. If the stub is never used, that is reported at the source location of this call.
    ///
    /// - Returns: The stub, which still needs an answer.
    @discardableResult
    public func on<Call: APIBase>(
        _ type: Call.Type,
        query: [String: ValuePattern] = [:],
        headers: [String: ValuePattern] = [:],
        body: BodyPattern? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return add(RequestPattern(type: RequestClass(type), query: query, headers: headers, body: body), at: place)
    }

    /// Adds a stub for the requests with a method and path.
    ///
    /// `path` is the whole path, or the part below the API's base URL. In `/users/:id` or
    /// `/users/{id}`, `:id` matches one segment, which the answer can read; `*` matches any one segment, and `**` all
    /// that follow. Without a method or path, any matches. The rest is as in ``on(_:query:headers:body:fileID:filePath:line:column:)``.
    ///
    /// - Returns: The stub, which still needs an answer.
    @discardableResult
    public func on(
        _ method: HTTPMethod? = nil,
        _ path: String? = nil,
        query: [String: ValuePattern] = [:],
        headers: [String: ValuePattern] = [:],
        body: BodyPattern? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let path = path.map(PathPattern.init)
        return add(RequestPattern(method: method, path: path, query: query, headers: headers, body: body), at: place)
    }

    /// The kind of a stub for sockets.
    public enum SocketKind: Sendable {
        /// The handshake of a WebSocket.
        case socket
    }

    /// Adds a stub for the sockets with a path:
    ///
    /// ```swift
    /// stubs.on(.socket, "/chat").socket { socket in socket.send("Welcome") }
    /// ```
    ///
    /// Any other answer refuses the handshake. The rest is as in
    /// ``on(_:_:query:headers:body:fileID:filePath:line:column:)``.
    ///
    /// - Returns: The stub, which still needs an answer.
    @discardableResult
    public func on(
        _ kind: SocketKind,
        _ path: String? = nil,
        query: [String: ValuePattern] = [:],
        headers: [String: ValuePattern] = [:],
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let path = path.map(PathPattern.init)
        return add(RequestPattern(isSocket: true, path: path, query: query, headers: headers), at: place)
    }

    /// Adds a stub for the GraphQL calls of an operation, in any form: by `POST`, by `GET` with a hash, or with files.
    ///
    /// ```swift
    /// stubs.on(operation: "Hero").answer(.json(#"{"data": {"hero": {"name": "R2-D2"}}}"#))
    /// ```
    ///
    /// The variables are a part of the body: `body: .json(containing: #"{"variables": {"id": 7}}"#)`. The rest is as in
    /// ``on(_:query:headers:body:fileID:filePath:line:column:)``.
    ///
    /// - Returns: The stub, which still needs an answer.
    @discardableResult
    public func on(
        operation: String,
        headers: [String: ValuePattern] = [:],
        body: BodyPattern? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Stub {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        return add(RequestPattern(operation: operation, headers: headers, body: body), at: place)
    }

    /// Adds a stub for the requests without a mismatch by a rule.
    package func add(at place: SourcePlace, rule: @escaping @Sendable (StubbedCall) -> Mismatch?) -> Stub {
        add(RequestPattern(rule: rule), at: place)
    }

    private func add(_ pattern: RequestPattern, at place: SourcePlace) -> Stub {
        let stub = Stub(pattern, at: place)
        if addsOptionalStubs { stub.optional() }
        state.withLock { $0.stubs.append(stub) }
        return stub
    }
}

extension Stubs: NetworkStandIn {
    package func noteWait(for reason: CallScope.WaitReason, of duration: Duration) {
        state.withLock { $0.waits.append(Wait(reason, duration)) }
    }

    package var answerClock: StubClock? { clock }

    package func answerer(of url: URL) -> String? {
        state.withLock { $0.calls.last { $0.url == url } }?.stub.map { "the stub “\($0)”" }
    }

    private var stubs: [Stub] {
        let stubs = state.withLock { $0.stubs }
        let ranked = stubs.map { (rank: $0.rank, stub: $0) }
        guard ranked.contains(where: { $0.rank != 0 }) else { return stubs }
        let places = [ranked.filter { $0.rank > 0 }.sorted { $0.rank > $1.rank }, ranked.filter { $0.rank == 0 }]
        return (places + [ranked.filter { $0.rank < 0 }]).joined().map(\.stub)
    }

    package func answer(to call: inout PendingCall) -> PendingCall.Answer? {
        let stubs = stubs
        for (index, stub) in stubs.enumerated() {
            let match = stub.pattern.match(call.call)
            guard match.mismatches.isEmpty else {
                call.misses.append(StubProblem.NearMiss(stub: stub.name, mismatches: match.mismatches, place: nil))
                continue
            }
            call.call.parameters = match.parameters
            guard let answer = stub.answer(to: &call.call) else { continue }
            if case .fail(let problem as StubProblem) = answer { report(problem) }
            if stub.rank > 0 { override(stubs[(index + 1)...], for: call.call) }
            return answer
        }
        return nil
    }

    package func fallback(for call: PendingCall) -> PendingCall.Fallback? {
        guard unmatched == .fail else { return .pass }
        let nearest = call.misses.nearest { $0.mismatches.count }
        let problem = StubProblem.unmatched(request: call.call.words, nearest: nearest)
        report(problem)
        return .fail(problem)
    }

    package func observe(_ pending: inout PendingCall) {
        let call = pending.call
        let stubs = state.withLock { state in
            state.calls.append(call)
            return call.stubID == nil ? [] : state.stubs
        }
        if !stubs.contains(where: { ObjectIdentifier($0) == call.stubID }) {
            // A stub of an inner scope has answered. It overrides those of this scope that would have.
            override(stubs[...], for: call)
        }
        if let inspector { pending.beObserved(by: inspector) }
    }

    private func override(_ stubs: ArraySlice<Stub>, for call: StubbedCall) {
        for stub in stubs where stub.isUnused && stub.pattern.match(call).mismatches.isEmpty { stub.override() }
    }

    /// Stubs for any request are left out, since they are near to every call.
    package func nearMisses(of call: StubbedCall) -> [StubProblem.NearMiss] {
        stubs.filter { !$0.pattern.isAnything }
            .map { stub in
                let mismatches = stub.pattern.match(call).mismatches
                return StubProblem.NearMiss(stub: stub.name, mismatches: mismatches, place: stub.place.description)
            }
    }

    private func report(_ problem: StubProblem) {
        let isReported = observer?(problem) ?? false
        state.withLock { $0.problems.append((problem, isReported)) }
    }
}
