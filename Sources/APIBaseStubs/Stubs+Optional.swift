extension Stubs {
    /// Adds stubs of which none has to be used, for what several tests share:
    ///
    /// ```swift
    /// extension Stubs {
    ///     func answerBooks() {
    ///         optionally {
    ///             on(BookRequest.self).answer(.json(Book(id: 7, title: "Swift")))
    ///             on(.get, "/authors/:id").answer(.status(404))
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Each stub that is added to this set inside of `body` is ``Stub/optional()``, also by functions that `body` calls,
    /// by child tasks and by `Task { }`. Detached tasks and other queues do not know of it. Stubs that `body` adds to
    /// another set have to be used as ever.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    @discardableResult
    public func optionally<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Self.$optionalSets.withValue(Self.optionalSets.union([ObjectIdentifier(self)])) { try body() }
    }

    /// The same for a `body` that is `async`.
    @discardableResult
    public func optionally<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        let sets = Self.optionalSets.union([ObjectIdentifier(self)])
        return try await Self.$optionalSets.withValue(sets, operation: body, isolation: isolation)
    }

    /// Whether a stub that is added here need not be used.
    var addsOptionalStubs: Bool { Self.optionalSets.contains(ObjectIdentifier(self)) }

    /// The sets inside of whose ``optionally(_:)`` the code runs.
    @TaskLocal private static var optionalSets: Set<ObjectIdentifier> = []
}
