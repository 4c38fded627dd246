/// The watchers and the deadline of a scope.
struct ScopeRules: Sendable {
    @TaskLocal static var current = ScopeRules()

    /// Calls know them by their type.
    var watchers: [any Sendable] = []
    var deadline: ScopeDeadline?

    var isEmpty: Bool { watchers.isEmpty && deadline == nil }

    /// These rules with a deadline, unless they have an earlier one.
    func ending(by deadline: ScopeDeadline) -> ScopeRules {
        var rules = self
        if rules.deadline.map({ deadline.left < $0.left }) ?? true { rules.deadline = deadline }
        return rules
    }

    /// Runs `body` with these rules. Most scopes have none.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        if isEmpty, Self.current.isEmpty { return try body() }
        return try Self.$current.withValue(self, operation: body)
    }

    /// Runs `body` without the deadline.
    static func withoutDeadline<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard current.deadline != nil else { return try body() }
        var rules = current
        rules.deadline = nil
        return try rules.run(body)
    }

    func run<Value>(isolation: isolated (any Actor)?, _ body: () async throws -> Value) async rethrows -> Value {
        if isEmpty, Self.current.isEmpty { return try await body() }
        return try await Self.$current.withValue(self, operation: body, isolation: isolation)
    }
}
