/// What features of the kit hand on with the task in which a call is started: one value for each kind.
///
/// One task local for all of them, so that a call keeps them by reading it once.
struct CallLocals: Sendable {
    @TaskLocal private static var current = CallLocals()

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Those of the code that runs now.
    static var here: CallLocals { current }

    subscript<Local: CallLocal>(local: Local.Type) -> Local.Value {
        get { values.isEmpty ? Local.initial : values[ObjectIdentifier(local)] as? Local.Value ?? Local.initial }
        set { values[ObjectIdentifier(local)] = newValue }
    }

    /// Runs `body` with these.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try CallLocals.$current.withValue(self, operation: body)
    }

    /// Runs `body` with one value changed.
    static func with<Local: CallLocal, Value>(
        _ local: Local.Type,
        _ value: Local.Value,
        _ body: () throws -> Value
    ) rethrows -> Value {
        var locals = current
        locals[local] = value
        return try locals.run(body)
    }
}

/// One kind of value that is handed on with the task.
protocol CallLocal {
    associatedtype Value: Sendable

    /// The value where nothing has set one.
    static var initial: Value { get }
}

/// Whether other calls wait for what the running code does, as for the refresh of a token. A call that is made there waits for
/// none of them.
enum IsAwaitedByCalls: CallLocal {
    static let initial = false
}

/// A place that an attempt has waited for, such as one at a gate.
protocol HeldPlace: Sendable {
    /// Whether it has not been given back: what the attempt has started may outlive it.
    var isHeld: Bool { get }
}

/// The places that the running code holds, as a part of attempts. A call that is made there does not wait for one like them: it
/// may be that of the attempt that waits for it.
enum HeldPlaces: CallLocal {
    static let initial: [any HeldPlace] = []
}
