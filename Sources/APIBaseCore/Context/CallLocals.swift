/// The kit's own task locals: one value for each ``CallLocal``.
///
/// They share one task local, so that a call keeps all of them with one read.
package struct CallLocals: Sendable {
    @TaskLocal private static var current = CallLocals()

    private var values: [ObjectIdentifier: any Sendable] = [:]

    package static var here: CallLocals { current }

    package subscript<Local: CallLocal>(local: Local.Type) -> Local.Value {
        get { values.isEmpty ? Local.initial : values[ObjectIdentifier(local)] as? Local.Value ?? Local.initial }
        set { values[ObjectIdentifier(local)] = newValue }
    }

    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        if values.isEmpty, CallLocals.current.values.isEmpty { return try body() }
        return try CallLocals.$current.withValue(self, operation: body)
    }

    func run<Value>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value) async rethrows
        -> Value
    {
        try await CallLocals.$current.withValue(self, operation: body, isolation: isolation)
    }

    package static func with<Local: CallLocal, Value>(
        _ local: Local.Type,
        _ value: Local.Value,
        _ body: () throws -> Value
    ) rethrows -> Value {
        var locals = current
        locals[local] = value
        return try locals.run(body)
    }
}

/// A kind of value that is handed on with the task.
package protocol CallLocal {
    associatedtype Value: Sendable

    /// The value where none has been set.
    static var initial: Value { get }
}

/// Whether other calls wait for the running code, as for the refresh of a token. A call made there waits for none of
/// them.
package enum IsAwaitedByCalls: CallLocal {
    package static let initial = false
}

/// A place that an attempt has waited for, such as one at a gate.
package protocol HeldPermit: Sendable {
    /// Whether it has not been given back. Tasks that an attempt has started may outlive the attempt.
    var isHeld: Bool { get }
}

/// A resource that an attempt holds until it ends, such as a permit.
package protocol AttemptHold: AnyObject, Sendable {
    /// Gives it back, when the call is canceled.
    func release()
}

/// The permits that the running attempt holds. A call made there does not wait for the same permit again: the attempt
/// that holds it may wait for that call.
package enum HeldPermits: CallLocal {
    package static let initial: [any HeldPermit] = []
}
