extension Publisher {
    /// A publisher with the same output and failure, as a short name for the signatures below.
    public typealias _Peer = Publisher<Output, Failure>

    /// Publishes the values of this publisher and of others of its type as they arrive. Finishes when all have; a
    /// failure cancels the others.
    @inlinable public func merge(with other: Self) -> Publishers.MergeMany<Self> { .init(self, other) }

    /// Publishes the values of all publishers as they arrive. Finishes when all have; a failure cancels the others.
    @inlinable public func merge<P: _Peer>(with other: P) -> Publishers.Merge<Self, P> { .init(self, other) }

    /// Publishes the values of all publishers as they arrive. Finishes when all have; a failure cancels the others.
    @inlinable
    public func merge<B: _Peer, C: _Peer>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C> { .init(self, b, c) }

    /// Publishes the values of all publishers as they arrive. Finishes when all have; a failure cancels the others.
    @inlinable
    public func merge<B: _Peer, C: _Peer, D: _Peer>(with b: B, _ c: C, _ d: D) -> Publishers.Merge4<Self, B, C, D> {
        .init(self, b, c, d)
    }

    /// Publishes the values of all publishers as they arrive. Finishes when all have; a failure cancels the others.
    @inlinable public func merge<B: _Peer, C: _Peer, D: _Peer, E: _Peer>(with b: B, _ c: C, _ d: D, _ e: E)
        -> Publishers.Merge5<Self, B, C, D, E>
    { .init(self, b, c, d, e) }

    /// Publishes the values of all publishers as they arrive. Finishes when all have; a failure cancels the others.
    @inlinable
    public func merge<B: _Peer, C: _Peer, D: _Peer, E: _Peer, F: _Peer>(with b: B, _ c: C, _ d: D, _ e: E, _ f: F)
        -> Publishers.Merge6<Self, B, C, D, E, F>
    { .init(self, b, c, d, e, f) }

    /// Publishes the values of all publishers as they arrive. Finishes when all have; a failure cancels the others.
    @inlinable public func merge<B: _Peer, C: _Peer, D: _Peer, E: _Peer, F: _Peer, G: _Peer>(
        with b: B,
        _ c: C,
        _ d: D,
        _ e: E,
        _ f: F,
        _ g: G
    ) -> Publishers.Merge7<Self, B, C, D, E, F, G> { .init(self, b, c, d, e, f, g) }

    /// Publishes the values of all publishers as they arrive. Finishes when all have; a failure cancels the others.
    @inlinable public func merge<B: _Peer, C: _Peer, D: _Peer, E: _Peer, F: _Peer, G: _Peer, H: _Peer>(
        with b: B,
        _ c: C,
        _ d: D,
        _ e: E,
        _ f: F,
        _ g: G,
        _ h: H
    ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H> { .init(self, b, c, d, e, f, g, h) }
}

extension Publishers.Merge {
    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<P: _Peer>(with other: P) -> Publishers.Merge3<A, B, P> { .init(a, b, other) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<Z: _Peer, Y: _Peer>(with z: Z, _ y: Y) -> Publishers.Merge4<A, B, Z, Y> { .init(a, b, z, y) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<Z: _Peer, Y: _Peer, X: _Peer>(with z: Z, _ y: Y, _ x: X) -> Publishers.Merge5<A, B, Z, Y, X> {
        .init(a, b, z, y, x)
    }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer, X: _Peer, W: _Peer>(with z: Z, _ y: Y, _ x: X, _ w: W)
        -> Publishers.Merge6<A, B, Z, Y, X, W>
    { .init(a, b, z, y, x, w) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<Z: _Peer, Y: _Peer, X: _Peer, W: _Peer, V: _Peer>(with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V)
        -> Publishers.Merge7<A, B, Z, Y, X, W, V>
    { .init(a, b, z, y, x, w, v) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer, X: _Peer, W: _Peer, V: _Peer, U: _Peer>(
        with z: Z,
        _ y: Y,
        _ x: X,
        _ w: W,
        _ v: V,
        _ u: U
    ) -> Publishers.Merge8<A, B, Z, Y, X, W, V, U> { .init(a, b, z, y, x, w, v, u) }
}

extension Publishers.Merge3 {
    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<P: _Peer>(with other: P) -> Publishers.Merge4<A, B, C, P> { .init(a, b, c, other) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer>(with z: Z, _ y: Y) -> Publishers.Merge5<A, B, C, Z, Y> {
        .init(a, b, c, z, y)
    }

    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<Z: _Peer, Y: _Peer, X: _Peer>(with z: Z, _ y: Y, _ x: X) -> Publishers.Merge6<A, B, C, Z, Y, X> {
        .init(a, b, c, z, y, x)
    }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer, X: _Peer, W: _Peer>(with z: Z, _ y: Y, _ x: X, _ w: W)
        -> Publishers.Merge7<A, B, C, Z, Y, X, W>
    { .init(a, b, c, z, y, x, w) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<Z: _Peer, Y: _Peer, X: _Peer, W: _Peer, V: _Peer>(with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V)
        -> Publishers.Merge8<A, B, C, Z, Y, X, W, V>
    { .init(a, b, c, z, y, x, w, v) }
}

extension Publishers.Merge4 {
    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<P: _Peer>(with other: P) -> Publishers.Merge5<A, B, C, D, P> { .init(a, b, c, d, other) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer>(with z: Z, _ y: Y) -> Publishers.Merge6<A, B, C, D, Z, Y> {
        .init(a, b, c, d, z, y)
    }

    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<Z: _Peer, Y: _Peer, X: _Peer>(with z: Z, _ y: Y, _ x: X) -> Publishers.Merge7<A, B, C, D, Z, Y, X>
    { .init(a, b, c, d, z, y, x) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer, X: _Peer, W: _Peer>(with z: Z, _ y: Y, _ x: X, _ w: W)
        -> Publishers.Merge8<A, B, C, D, Z, Y, X, W>
    { .init(a, b, c, d, z, y, x, w) }
}

extension Publishers.Merge5 {
    /// Publishes the values of all publishers as they arrive.
    @inlinable
    public func merge<P: _Peer>(with other: P) -> Publishers.Merge6<A, B, C, D, E, P> { .init(a, b, c, d, e, other) }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer>(with z: Z, _ y: Y) -> Publishers.Merge7<A, B, C, D, E, Z, Y> {
        .init(a, b, c, d, e, z, y)
    }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer, X: _Peer>(with z: Z, _ y: Y, _ x: X)
        -> Publishers.Merge8<A, B, C, D, E, Z, Y, X>
    { .init(a, b, c, d, e, z, y, x) }
}

extension Publishers.Merge6 {
    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<P: _Peer>(with other: P) -> Publishers.Merge7<A, B, C, D, E, F, P> {
        .init(a, b, c, d, e, f, other)
    }

    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<Z: _Peer, Y: _Peer>(with z: Z, _ y: Y) -> Publishers.Merge8<A, B, C, D, E, F, Z, Y> {
        .init(a, b, c, d, e, f, z, y)
    }
}

extension Publishers.Merge7 {
    /// Publishes the values of all publishers as they arrive.
    @inlinable public func merge<P: _Peer>(with other: P) -> Publishers.Merge8<A, B, C, D, E, F, G, P> {
        .init(a, b, c, d, e, f, g, other)
    }
}
