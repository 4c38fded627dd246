public import Basics

/// Locked state with the identifier that Combine requires of subscribers and subscriptions.
///
/// Each block is a structure around one of these, so that it costs one allocation.
@usableFromInline struct IdentifiedLock<State>: Sendable {
    @usableFromInline struct Content {
        @usableFromInline var state: State
        @usableFromInline var identifier: CombineIdentifier?

        @inlinable init(_ state: State) { self.state = state }
    }

    @usableFromInline let content: Locked<Content>

    @inlinable init(_ state: State) { content = Locked(uncheckedState: Content(state)) }

    @inlinable func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        content.withLockUnchecked { body(&$0.state) }
    }

    /// Made on first use, which is rare.
    @usableFromInline var identifier: CombineIdentifier {
        content.withLock { content in
            if let identifier = content.identifier { return identifier }
            let identifier = CombineIdentifier()
            content.identifier = identifier
            return identifier
        }
    }
}
