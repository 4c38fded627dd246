/// The watchers of a scope, which calls know by their type.
enum ScopeWatchers {
    @TaskLocal static var current: [any Sendable] = []

    /// Runs `body` with these watchers. Most scopes have none.
    static func with<Value>(_ watchers: [any Sendable], _ body: () throws -> Value) rethrows -> Value {
        if watchers.isEmpty, current.isEmpty { return try body() }
        return try $current.withValue(watchers, operation: body)
    }

    static func with<Value>(
        _ watchers: [any Sendable],
        isolation: isolated (any Actor)?,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        if watchers.isEmpty, current.isEmpty { return try await body() }
        return try await $current.withValue(watchers, operation: body, isolation: isolation)
    }
}
