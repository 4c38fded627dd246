public import Foundation
import HTTPTransport

/// A problem with the use of stubs. A call that no stub can answer fails with one of these.
public enum StubProblem: Error, Sendable, Hashable {
    /// A stub that did not match a request, and why.
    public struct NearMiss: Sendable, Hashable {
        /// The stub's name.
        public let stub: String
        /// The differences of the request. Empty if the stub would have answered a call of its scope.
        public let mismatches: [Mismatch]
        /// Where the stub was set up, such as `ShelfTests.swift:12`, if the call was made outside of its scope; nil
        /// otherwise.
        public let place: String?
    }

    /// No stub answers the request, which is named by its method, its URL, and the operation of a GraphQL call or the
    /// template of its path.
    /// `nearest` are the stubs that came nearest, the nearest first, three at most.
    case unmatched(request: String, nearest: [NearMiss])
    /// The call was made outside of every scope and would have reached the network. `nearest` are stubs of the scopes
    /// that existed at that time; empty if a test made the call itself, since those are other tests' stubs.
    case outside(request: String, nearest: [NearMiss])
    /// The stub has given all its answers, and fails after the last one.
    case exhausted(stub: String, answers: Int)
    /// The stub answered no request, and is not optional. `takers` are the stubs that have answered the requests that it
    /// matches.
    case unused(stub: String, takers: Takers = Takers())
    /// The stub has no answer.
    case noAnswer(stub: String)
    /// The client of a socket has not sent what the stub expects: ``StubSocket/expect(_:)-(SocketMessage)``.
    case socket(stub: String, finding: String)
    /// A call or an answer is not as the document of the API says.
    case undocumented(finding: String)
    /// A call waited for a manual clock that did not move for the duration `within`; the next wait was due after
    /// `wait`. `calls` are those that had not ended. See ``StubClock/manual(movedWithin:)``.
    case clockNotMoved(within: Duration, wait: Duration, calls: Calls = Calls())

    /// Stubs that have answered in place of another, for a message. All are equal, so that they need not be named to
    /// compare problems.
    public struct Takers: Sendable, Hashable {
        /// The name of each stub, and where it was set up, such as `“GET /books” (ShelfTests.swift:12)`.
        public let names: [String]

        /// Creates a list of names.
        public init(_ names: [String] = []) { self.names = names }

        /// Always true.
        public static func == (left: Takers, right: Takers) -> Bool { true }
        /// Hashes nothing.
        public func hash(into hasher: inout Hasher) {}
    }

    /// The classes of calls, for a message. All are equal, so that they need not be named to compare problems.
    public struct Calls: Sendable, Hashable {
        /// The names of the classes.
        public let names: [String]

        /// Creates a list of names.
        public init(_ names: [String] = []) { self.names = names }

        /// Always true.
        public static func == (left: Calls, right: Calls) -> Bool { true }
        /// Hashes nothing.
        public func hash(into hasher: inout Hasher) {}
    }
}

extension StubProblem: LocalizedError, CustomStringConvertible {
    /// The problem in words.
    public var description: String {
        switch self {
        case .unmatched(let request, let nearest):
            return "No stub answers \(request)." + (nearest.isEmpty ? " There are no stubs." : Self.lines(nearest))
                + "\nTo answer it: \(Self.suggestion(request))"
        case .outside(let request, let nearest):
            return """
                \(request) was started outside of every scope, where it would have gone to the network.\
                \(Self.lines(nearest))
                In a test without stubs: @Test(.stubs { stubs in \(Self.suggestion(request)) })
                Detached tasks, queues, threads and receive(on:) do not inherit the scope. To hand it on: \
                let scope = CallScope.here (inside), scope.run { … } (there). Or: request.session = stubs
                """
        case .exhausted(let stub, let answers):
            return "The stub “\(stub)” has given \(answers == 1 ? "its only answer" : "all of its \(answers) answers")."
        case .unused(let stub, let takers):
            guard !takers.names.isEmpty else { return "The stub “\(stub)” was never used." }
            return """
                The stub “\(stub)” was never used: its calls went to \(takers.names.joined(separator: ", ")), set up \
                before it.
                To have this one asked first: overriding(). If it need not be used: optional()
                """
        case .noAnswer(let stub): return "The stub “\(stub)” has no answer."
        case .socket(let stub, let finding): return "The stub “\(stub)”: \(finding)"
        case .undocumented(let finding): return finding
        case .clockNotMoved(let limit, let wait, let calls):
            let names = calls.names.isEmpty ? "" : " Not ended: \(calls.names.joined(separator: ", "))."
            return """
                A call waits for \(wait) on a manual clock that was not moved for \(limit).\(names)
                To move it: await clock.settled(), then clock.advance(by: …)
                """
        }
    }

    private static func lines(_ nearest: [NearMiss]) -> String {
        let lines = nearest.map { miss in
            let reasons = miss.mismatches.map(\.description).joined(separator: "; ")
            let place = miss.place.map { " (\($0))" } ?? ""
            return "\n  “\(miss.stub)”\(place): \(reasons.isEmpty ? "would answer it" : reasons)"
        }
        return lines.isEmpty ? "" : " The nearest:" + lines.joined()
    }

    /// A stub for a request, given as method and URL, with the operation of a GraphQL call or the template of the path.
    private static func suggestion(_ request: String) -> String {
        if let operation = request.firstMatch(of: /\ \(operation ([_0-9A-Za-z]+)\)$/) {
            return "stubs.on(operation: \"\(operation.1)\").answer(…)"
        }
        let halves = request.split(separator: " ", maxSplits: 2).map(String.init)
        let path = URLComponents(string: halves.dropFirst().first ?? "").map(\.percentEncodedPath) ?? ""
        let shown = path.isEmpty ? "/" : path
        if halves.first == "socket" { return "stubs.on(.socket, \"\(shown)\").socket { socket in … }" }
        let method = HTTPMethod(rawValue: halves.first ?? "GET")
        let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .query]
        let name =
            known.contains(method) ? ".\(method.rawValue.lowercased())" : "HTTPMethod(rawValue: \"\(method.rawValue)\")"
        return "stubs.on(\(name), \"\(shown)\").answer(…)"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

/// All problems at the end of a scope.
public struct StubProblems: Error, Sendable, Hashable, LocalizedError, CustomStringConvertible {
    /// The problems: those of requests in their order, then the stubs that were never used.
    public let problems: [StubProblem]

    /// One problem on each line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
