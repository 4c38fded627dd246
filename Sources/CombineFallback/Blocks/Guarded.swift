public import Basics

/// Locked state with the identity that Combine asks of subscribers and subscriptions.
///
/// Blocks are structures around one `Guarded`, so that each costs one allocation.
@usableFromInline struct Guarded<State>: Sendable {
    @usableFromInline struct Content {
        @usableFromInline var state: State
        @usableFromInline var identifier: CombineIdentifier?

        @inlinable init(_ state: State) { self.state = state }
    }

    @usableFromInline let content: Locked<Content>

    @inlinable init(_ state: State) { content = Locked(Content(state)) }

    @inlinable func withLock<Result>(_ body: (inout State) -> Result) -> Result { content.withLock { body(&$0.state) } }

    /// Made when it is first asked for, which is hardly ever.
    @usableFromInline var identifier: CombineIdentifier {
        content.withLock { content in
            if let identifier = content.identifier { return identifier }
            let identifier = CombineIdentifier()
            content.identifier = identifier
            return identifier
        }
    }
}
