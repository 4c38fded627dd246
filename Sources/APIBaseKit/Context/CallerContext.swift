/// The task locals of the code that has started a call, where the system can keep them; see ``CallContext``.
struct CallerContext: Sendable {
    private let context: (any AnyObject & Sendable)?

    /// The recorder for the head of the reply; `nil` if the caller did not ask for it.
    let recorder = ReplyRecorder.current

    /// The sources whose refresh has started the call.
    let refreshing = TokenSource.refreshing

    /// The places at gates that the call is made in.
    let places = GatePlace.held.filter(\.isHeld)

    /// The page that the call is for, of a list.
    private let page = PageTarget.current

    /// Keeps those of the code that runs now.
    init() {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            context = CallContext()
        } else {
            context = nil
        }
    }

    /// Runs `body` with them, or else with what the kit itself must have.
    func run<Value>(_ body: () -> Value) -> Value {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let context = context as? CallContext
        else {
            return GatePlace.$held.withValue(places) { PageTarget.$current.withValue(page, operation: body) }
        }
        return context.run(body)
    }
}
