public import Foundation

/// What is wrong with the use of stubs. A call that no stub can answer fails with one of these.
public enum StubProblem: Error, Sendable, Hashable {
    /// A stub that did not fit a request, and why.
    public struct NearMiss: Sendable, Hashable {
        /// The stub's name.
        public let stub: String
        /// What is different about the request.
        public let mismatches: [Mismatch]
    }

    /// No stub answers the request. `nearest` are those that came nearest, the nearest first, three at most.
    case unmatched(request: String, nearest: [NearMiss])
    /// The stub has given all its answers, and was told to fail then.
    case exhausted(stub: String, answers: Int)
    /// No request came for the stub, and it is not optional.
    case unused(stub: String)
    /// The stub was not told what to answer.
    case noAnswer(stub: String)
}

extension StubProblem: LocalizedError, CustomStringConvertible {
    /// The problem in words.
    public var description: String {
        switch self {
        case .unmatched(let request, let nearest):
            let lines = nearest.map { miss in
                "\n  “\(miss.stub)”: " + miss.mismatches.map(\.description).joined(separator: "; ")
            }
            return "No stub answers \(request)."
                + (lines.isEmpty ? " There are no stubs." : " The nearest:" + lines.joined())
        case .exhausted(let stub, let answers):
            return "The stub “\(stub)” has given \(answers == 1 ? "its only answer" : "all of its \(answers) answers")."
        case .unused(let stub): return "The stub “\(stub)” was never used."
        case .noAnswer(let stub): return "The stub “\(stub)” has no answer."
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

/// Everything that is wrong at the end of a scope.
public struct StubProblems: Error, Sendable, Hashable, LocalizedError, CustomStringConvertible {
    /// The problems: those of requests in their order, then the stubs that were never used.
    public let problems: [StubProblem]

    /// One problem on each line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
