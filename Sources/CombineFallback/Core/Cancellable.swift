public import Basics

/// An activity that can be stopped before it ends.
public protocol Cancellable {
    /// Stops the activity and frees what it holds. Calling it again has no effect.
    func cancel()
}

extension Cancellable {
    /// Adds this to `collection`. It is cancelled when the collection releases it.
    @inlinable
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(AnyCancellable(self))
    }

    /// Adds this to `set`. It is cancelled when the set releases it.
    @inlinable public func store(in set: inout Set<AnyCancellable>) {
        set.insert(AnyCancellable(self))
    }
}

/// A cancellable that cancels another one, or runs a closure, once: on `cancel()` or when it is released.
public final class AnyCancellable: Cancellable, Hashable {
    @usableFromInline enum Target {
        case once(Locked<(() -> Void)?>)
        /// An action that may run twice, and frees what it holds when it runs.
        case idempotent(() -> Void)
    }

    @usableFromInline let target: Target

    /// Creates a cancellable that runs `cancel` at most once.
    public init(_ cancel: @escaping () -> Void) { target = .once(Locked(uncheckedState: cancel)) }

    /// Creates a cancellable that cancels `canceller` at most once.
    public init<C: Cancellable>(_ canceller: C) {
        if let same = canceller as? AnyCancellable {
            target = .idempotent(same.cancel)
        } else {
            target = .once(Locked(uncheckedState: canceller.cancel))
        }
    }

    @inlinable init<C: Cancellable>(idempotent: C) { target = .idempotent { idempotent.cancel() } }

    deinit { cancel() }

    /// Cancels, unless that has been done.
    public func cancel() {
        switch target {
        case .idempotent(let cancel): cancel()
        case .once(let action): action.withLockUnchecked { $0.take() }?()
        }
    }

    /// Whether both are the same object.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

    /// Feeds the object's identity into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Adds this to `collection`. It is cancelled when the collection releases it.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Adds this to `set`. It is cancelled when the set releases it.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }
}
