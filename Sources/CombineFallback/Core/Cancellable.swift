/// Something that can be stopped before it has come to its end.
public protocol Cancellable {
    /// Stops the activity and frees what it holds. Calling it again has no effect.
    func cancel()
}

extension Cancellable {
    /// Keeps this in `collection`: it is cancelled when the collection lets go of it.
    @inlinable
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(AnyCancellable(self))
    }

    /// Keeps this in `set`: it is cancelled when the set lets go of it.
    @inlinable public func store(in set: inout Set<AnyCancellable>) {
        set.insert(AnyCancellable(self))
    }
}
