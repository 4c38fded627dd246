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
/// responses limited, validated and decoded as ever. Nothing is process-wide; see ``run(_:)`` for what a scope covers.
///
/// A request that no stub answers fails, and so does the scope if a stub was never used.
public final class Stubs: Sendable {
    /// What becomes of a request that no stub answers.
    public enum Unmatched: Sendable, Hashable {
        /// It fails with ``StubProblem/unmatched(request:nearest:)``, and so does the check of the scope.
        case fail
        /// It goes out, by the session it would have gone by without stubs.
        case passThrough
    }

    private struct State {
        var stubs: [Stub] = []
        var calls: [StubbedCall] = []
        var problems: [StubProblem] = []
    }

    /// What becomes of a request that no stub answers.
    public let unmatched: Unmatched
    /// The clock by which the stubs wait, and the time-outs of their calls run.
    public let clock: StubClock
    private let state = Locked(State())

    /// Makes an empty set: it answers nothing yet.
    public init(unmatched: Unmatched = .fail, clock: StubClock = .immediate) {
        self.unmatched = unmatched
        self.clock = clock
    }

    /// The stubs of the innermost scope that the code runs in; nil outside of all scopes.
    public static var current: Stubs? { (SessionScopes.current as? StubScope)?.stubs.first }

    /// Every request that was made where these stubs hold, in the order in which they were sent, unanswered ones
    /// included.
    public var calls: [StubbedCall] { state.withLock { $0.calls } }

    /// What is wrong so far: requests that no stub could answer, then stubs that were not used. Empty if all is well.
    public var problems: [StubProblem] { placedProblems.map(\.problem) }

    /// Checks that every request was answered, and every stub used unless it is optional.
    ///
    /// - Throws: ``StubProblems`` that says all that is wrong.
    public func verify() throws(StubProblems) {
        let problems = problems
        if !problems.isEmpty { throw StubProblems(problems: problems) }
    }

    /// The problems, and where the stub was set up of which each tells.
    package var placedProblems: [(problem: StubProblem, place: SourcePlace?)] {
        let (stubs, problems) = state.withLock { ($0.stubs, $0.problems) }
        return problems.map { ($0, nil) } + stubs.compactMap { stub in stub.problem.map { ($0, stub.place) } }
    }
}

extension Stubs {
    /// Adds a stub for the requests of a class and of those below it.
    ///
    /// All that is said has to hold; of several stubs that fit, the one that was added first answers.
    ///
    /// - Parameters:
    ///   - type: The class: a leaf, or an API class for all of its requests.
    ///   - query: Values of query items, by name; others may be there as well.
    ///   - headers: Values of headers, by name; others may be there as well.
    ///   - body: What the body has to be.
    ///   - fileID: Where the stub is set up: where an issue is reported if it is never used. So are the next three.
    ///   - filePath: The path of the file.
    ///   - line: The line.
    ///   - column: The column.
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
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: The whole path, or what of it is below the API's base URL: `/users/:id`, of which `:id` stands for any
    ///     one segment and is handed to the answer; `*` for any one, `**` for all that follow. Nil for any path.
    ///   - query: Values of query items, by name; others may be there as well.
    ///   - headers: Values of headers, by name; others may be there as well.
    ///   - body: What the body has to be.
    ///   - fileID: Where the stub is set up: where an issue is reported if it is never used. So are the next three.
    ///   - filePath: The path of the file.
    ///   - line: The line.
    ///   - column: The column.
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

extension Stubs {
    /// Looks for the stub that answers, in these stubs and then in those around them, and lets it take the call.
    static func turn(for call: inout StubbedCall, in chain: [Stubs]) -> Stub.Turn? {
        var misses: [StubProblem.NearMiss] = []
        var turn: Stub.Turn?
        search: for stubs in chain {
            for stub in stubs.state.withLock({ $0.stubs }) {
                switch stub.pattern.match(call) {
                case .success(let parameters):
                    call.parameters = parameters
                    let taken = stub.take(&call)
                    if case .giveWay = taken { continue }
                    turn = taken
                    break search
                case .failure(let misfit):
                    misses.append(StubProblem.NearMiss(stub: stub.name, mismatches: misfit.mismatches))
                }
            }
        }
        let recorded = call
        for stubs in chain { stubs.state.withLock { $0.calls.append(recorded) } }
        if case .fail(let problem as StubProblem) = turn { chain.first?.report(problem) }
        guard turn == nil, let innermost = chain.first, innermost.unmatched == .fail else { return turn }
        let nearest = misses.enumerated()
            .sorted { ($0.element.mismatches.count, $0.offset) < ($1.element.mismatches.count, $1.offset) }
            .prefix(3).map(\.element)
        let problem = StubProblem.unmatched(request: call.description, nearest: nearest)
        innermost.report(problem)
        return .fail(problem)
    }

    private func report(_ problem: StubProblem) { state.withLock { $0.problems.append(problem) } }
}
