public import Basics

/// A cancellable that cancels what it stands for, once: when told to, or when it is released.
public final class AnyCancellable: Cancellable, Hashable {
    @usableFromInline enum Target {
        case once(Locked<(() -> Void)?>)
        /// An action that guards itself, and frees what it holds when it is cancelled.
        case guarded(() -> Void)
    }

    @usableFromInline let target: Target

    /// Creates a cancellable that runs `cancel` at most once.
    public init(_ cancel: @escaping () -> Void) { target = .once(Locked(cancel)) }

    /// Creates a cancellable that cancels `canceller` at most once.
    public init<C: Cancellable>(_ canceller: C) {
        if let same = canceller as? AnyCancellable {
            target = .guarded(same.cancel)
        } else {
            target = .once(Locked(canceller.cancel))
        }
    }

    @inlinable init<C: Cancellable>(guarded: C) { target = .guarded { guarded.cancel() } }

    deinit { cancel() }

    /// Cancels what this stands for, unless that has been done.
    public func cancel() {
        switch target {
        case .guarded(let cancel): cancel()
        case .once(let action): action.withLock { $0.take() }?()
        }
    }

    /// Whether both are the same object.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

    /// Feeds the object's identity into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Keeps this in `collection`: it is cancelled when the collection lets go of it.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Keeps this in `set`: it is cancelled when the set lets go of it.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }
}
