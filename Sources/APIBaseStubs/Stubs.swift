public import HTTPTransport
import Basics

/// Stubs for all calls of a scope, or of the request objects that have it as their session.
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
/// A stub takes the place of the network and of nothing else: requests are built and checked, redirects followed,
/// responses limited, validated and decoded as ever. Nothing is process-wide; see ``run(isolation:_:)`` for what a scope covers.
///
/// A request that no stub answers fails, and so does the scope if a stub was never used.
public final class Stubs: Sendable {
    /// The rule for a request that no stub answers.
    public enum Unmatched: Sendable, Hashable {
        /// It fails with ``StubProblem/unmatched(request:nearest:)``, and so does the check of the scope.
        case fail
        /// It goes out, by the session it would have gone by without stubs.
        case passThrough
    }

    private struct State {
        var stubs: [Stub] = []
        var calls: [StubbedCall] = []
        /// Those of requests, in their order, and whether somebody has been told.
        var problems: [(problem: StubProblem, isTold: Bool)] = []
    }

    /// The rule for a request that no stub answers.
    public let unmatched: Unmatched
    /// The clock by which the stubs wait, and the time-outs of their calls run.
    public let clock: StubClock
    private let state = Locked(State())
    /// Is told of the problem of a request when it comes up, where the call was started; returns whether it takes care of it.
    private let observer: (@Sendable (StubProblem) -> Bool)?

    /// Makes an empty set: it answers nothing yet.
    public convenience init(unmatched: Unmatched = .fail, clock: StubClock = .immediate) {
        self.init(unmatched: unmatched, clock: clock, observer: nil)
    }

    package init(unmatched: Unmatched, clock: StubClock, observer: (@Sendable (StubProblem) -> Bool)?) {
        self.unmatched = unmatched
        self.clock = clock
        self.observer = observer
    }

    /// The stubs of the innermost scope that the code runs in; nil outside of all scopes.
    public static var current: Stubs? { (SessionScopes.current as? NestedScope)?.stubs }

    /// Every request that was made where these stubs hold, in the order in which they were sent, unanswered ones
    /// included.
    public var calls: [StubbedCall] { state.withLock { $0.calls } }

    /// The problems so far: requests that no stub could answer, a manual clock that nobody moved, then stubs that were not used.
    /// Empty if all is well.
    public var problems: [StubProblem] {
        let problems = state.withLock { $0.problems }
        return problems.map(\.problem) + late.map(\.problem)
    }

    /// Checks that every request was answered, every stub used unless it is optional, and a manual clock moved.
    ///
    /// - Throws: ``StubProblems`` that says all that is wrong.
    public func verify() throws(StubProblems) {
        let problems = problems
        if !problems.isEmpty { throw StubProblems(problems: problems) }
    }

    /// The problems, and where the stub was set up of which each tells; without those that the observer has taken care of.
    package var untoldProblems: [(problem: StubProblem, place: SourcePlace?)] {
        let problems = state.withLock { $0.problems }
        return problems.filter { !$0.isTold }.map { ($0.problem, nil) } + late
    }

    /// Those that are no request's.
    private var late: [(problem: StubProblem, place: SourcePlace?)] {
        let stubs = state.withLock { $0.stubs }
        return (clock.problem.map { [($0, nil)] } ?? [])
            + stubs.compactMap { stub in stub.problem.map { ($0, stub.place) } }
    }
}

extension Stubs {
    /// Adds a stub for the requests of a class and of those below it.
    ///
    /// All that is said has to hold; of several stubs that fit, the one that was added first answers, unless another one is
    /// told to be ``Stub/overriding()``.
    ///
    /// `type` is a leaf, or an API class for all of its requests. `query` and `headers` have values by name; others may be there
    /// as well. If the stub is never used, that is reported where it is set up, as `fileID` and the like say.
    ///
    /// - Returns: The stub, to be told what to answer.
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
        let pattern = RequestPattern(type: RequestClass(type), query: query, headers: headers, body: body)
        return add(Stub(pattern, at: SourcePlace(fileID, filePath, line, column)))
    }

    /// Adds a stub for the requests with a method and path.
    ///
    /// `path` is the whole one, or what of it is below the API's base URL: `/users/:id`, of which `:id` stands for any one segment
    /// and is handed to the answer; `*` for any one, `**` for all that follow. No method and no path stand for any. The rest is as
    /// in ``on(_:query:headers:body:fileID:filePath:line:column:)``.
    ///
    /// - Returns: The stub, to be told what to answer.
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
        let pattern = RequestPattern(
            method: method,
            path: path.map(PathPattern.init),
            query: query,
            headers: headers,
            body: body
        )
        return add(Stub(pattern, at: SourcePlace(fileID, filePath, line, column)))
    }

    private func add(_ stub: Stub) -> Stub {
        state.withLock { $0.stubs.append(stub) }
        return stub
    }
}

extension Stubs: Substitute {
    var answerClock: StubClock? { clock }

    /// The stubs in the order in which they are asked.
    private var stubs: [Stub] {
        let stubs = state.withLock { $0.stubs }
        let ranked = stubs.map { (rank: $0.rank, stub: $0) }
        guard ranked.contains(where: { $0.rank > 0 }) else { return stubs }
        return ranked.filter { $0.rank > 0 }.sorted { $0.rank > $1.rank }.map(\.stub)
            + ranked.filter { $0.rank == 0 }.map(\.stub)
    }

    func answer(to call: inout PendingCall) -> PendingCall.Answer? {
        let stubs = stubs
        for (index, stub) in stubs.enumerated() {
            let match = stub.pattern.match(call.call)
            guard match.fits else {
                call.misses.append(StubProblem.NearMiss(stub: stub.name, mismatches: match.mismatches))
                continue
            }
            call.call.parameters = match.parameters
            guard let answer = stub.take(&call.call) else { continue }
            if case .fail(let problem as StubProblem) = answer { report(problem) }
            if stub.rank > 0 { override(stubs[(index + 1)...], for: call.call) }
            return answer
        }
        return nil
    }

    func verdict(on call: PendingCall) -> PendingCall.Verdict? {
        guard unmatched == .fail else { return .pass }
        let nearest = call.misses.nearest { $0.mismatches.count }
        let problem = StubProblem.unmatched(request: call.call.description, nearest: nearest)
        report(problem)
        return .fail(problem)
    }

    func note(_ call: StubbedCall) {
        let stubs = state.withLock { state in
            state.calls.append(call)
            return call.stubID == nil ? [] : state.stubs
        }
        guard !stubs.contains(where: { ObjectIdentifier($0) == call.stubID }) else { return }
        // A scope further in has answered: what would have done so here is overridden.
        override(stubs[...], for: call)
    }

    private func override(_ stubs: ArraySlice<Stub>, for call: StubbedCall) {
        for stub in stubs where stub.problem != nil && stub.pattern.match(call).fits { stub.override() }
    }

    /// What the stubs say of a call that was made elsewhere, without those for any request, which are near to all.
    func misses(of call: StubbedCall) -> [StubProblem.NearMiss] {
        stubs.filter { !$0.pattern.isAnything }
            .map { stub in
                let mismatches = stub.pattern.match(call).mismatches
                return StubProblem.NearMiss(stub: stub.name, mismatches: mismatches, place: stub.place.description)
            }
    }

    private func report(_ problem: StubProblem) {
        let isTold = observer?(problem) ?? false
        state.withLock { $0.problems.append((problem, isTold)) }
    }
}
