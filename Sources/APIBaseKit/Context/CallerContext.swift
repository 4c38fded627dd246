/// The task locals of the code that has started a call, where the system can keep them; see ``CallContext``.
struct CallerContext: Sendable {
    private let context: (any AnyObject & Sendable)?

    /// Those of the kit itself, on every system.
    let locals = CallLocals.here

    /// Keeps those of the code that runs now.
    init() {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            context = CallContext()
        } else {
            context = nil
        }
    }

    /// Runs `body` with them, or else with those of the kit.
    func run<Value>(_ body: () -> Value) -> Value {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let context = context as? CallContext
        else { return locals.run(body) }
        return context.run(body)
    }
}
