extension Publishers {
    /// A publisher with the same output and failure as `P`, as a short name for the declarations below.
    public typealias _Peer<P: Publisher> = Publisher<P.Output, P.Failure>

    /// A publisher of the values of two publishers as they arrive.
    public struct Merge<A: Publisher, B: _Peer<A>>: Merging {
        /// The publishers.
        public let (a, b): (A, B)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

        @inlinable func inlets(of outlet: Outlet<A.Output, A.Failure>) -> [() -> Void] {
            [outlet.inlet(a), outlet.inlet(b)]
        }
    }

    /// A publisher of the values of three publishers as they arrive.
    public struct Merge3<A: Publisher, B: _Peer<A>, C: _Peer<A>>: Merging {
        /// The publishers.
        public let (a, b, c): (A, B, C)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

        @inlinable func inlets(of outlet: Outlet<A.Output, A.Failure>) -> [() -> Void] {
            [outlet.inlet(a), outlet.inlet(b), outlet.inlet(c)]
        }
    }

    /// A publisher of the values of four publishers as they arrive.
    public struct Merge4<A: Publisher, B: _Peer<A>, C: _Peer<A>, D: _Peer<A>>: Merging {
        /// The publishers.
        public let (a, b, c, d): (A, B, C, D)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

        @inlinable func inlets(of outlet: Outlet<A.Output, A.Failure>) -> [() -> Void] {
            [outlet.inlet(a), outlet.inlet(b), outlet.inlet(c), outlet.inlet(d)]
        }
    }

    /// A publisher of the values of five publishers as they arrive.
    public struct Merge5<A: Publisher, B: _Peer<A>, C: _Peer<A>, D: _Peer<A>, E: _Peer<A>>: Merging {
        /// The publishers.
        public let (a, b, c, d, e): (A, B, C, D, E)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
        }

        @inlinable func inlets(of outlet: Outlet<A.Output, A.Failure>) -> [() -> Void] {
            [outlet.inlet(a), outlet.inlet(b), outlet.inlet(c), outlet.inlet(d), outlet.inlet(e)]
        }
    }

    /// A publisher of the values of six publishers as they arrive.
    public struct Merge6<A: Publisher, B: _Peer<A>, C: _Peer<A>, D: _Peer<A>, E: _Peer<A>, F: _Peer<A>>: Merging {
        /// The publishers.
        public let (a, b, c, d, e, f): (A, B, C, D, E, F)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
        }

        @inlinable func inlets(of outlet: Outlet<A.Output, A.Failure>) -> [() -> Void] {
            [outlet.inlet(a), outlet.inlet(b), outlet.inlet(c), outlet.inlet(d), outlet.inlet(e), outlet.inlet(f)]
        }
    }

    /// A publisher of the values of seven publishers as they arrive.
    public struct Merge7<
        A: Publisher,
        B: _Peer<A>,
        C: _Peer<A>,
        D: _Peer<A>,
        E: _Peer<A>,
        F: _Peer<A>,
        G: _Peer<A>
    >: Merging {
        /// The publishers.
        public let (a, b, c, d, e, f, g): (A, B, C, D, E, F, G)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            (self.a, self.b, self.c, self.d, self.e, self.f, self.g) = (a, b, c, d, e, f, g)
        }

        @inlinable func inlets(of outlet: Outlet<A.Output, A.Failure>) -> [() -> Void] {
            [
                outlet.inlet(a), outlet.inlet(b), outlet.inlet(c), outlet.inlet(d), outlet.inlet(e),
                outlet.inlet(f), outlet.inlet(g),
            ]
        }
    }

    /// A publisher of the values of eight publishers as they arrive.
    public struct Merge8<
        A: Publisher,
        B: _Peer<A>,
        C: _Peer<A>,
        D: _Peer<A>,
        E: _Peer<A>,
        F: _Peer<A>,
        G: _Peer<A>,
        H: _Peer<A>
    >: Merging {
        /// The publishers.
        public let (a, b, c, d, e, f, g, h): (A, B, C, D, E, F, G, H)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
            (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h) = (a, b, c, d, e, f, g, h)
        }

        @inlinable func inlets(of outlet: Outlet<A.Output, A.Failure>) -> [() -> Void] {
            [
                outlet.inlet(a), outlet.inlet(b), outlet.inlet(c), outlet.inlet(d), outlet.inlet(e),
                outlet.inlet(f), outlet.inlet(g), outlet.inlet(h),
            ]
        }
    }

    /// A publisher of the values of any number of publishers as they arrive.
    public struct MergeMany<Upstream: Publisher>: Merging {
        @usableFromInline typealias A = Upstream

        /// The publishers.
        public let publishers: [Upstream]
        /// Creates the publisher.
        @inlinable public init(_ upstream: Upstream...) { publishers = upstream }

        /// Creates the publisher.
        @inlinable
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        @inlinable func inlets(of outlet: Outlet<Upstream.Output, Upstream.Failure>) -> [() -> Void] {
            publishers.map(outlet.inlet)
        }

        /// Adds a publisher.
        @inlinable public func merge(with other: Upstream) -> Self { .init(publishers + [other]) }
    }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}
extension Publishers.Merge8: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable, H: Equatable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

/// A publisher of the values of several publishers with the same output and failure as `A`.
@usableFromInline protocol Merging: ErasedPublisher where Output == A.Output, Failure == A.Failure {
    associatedtype A: Publisher

    /// Opens an inlet for each publisher. The closures subscribe to the publishers.
    func inlets(of outlet: Outlet<Output, Failure>) -> [() -> Void]
}

extension Merging {
    @inlinable func receive(erased downstream: Downstream) {
        let outlet = Outlet(downstream, name: "Merge")
        let attachments = inlets(of: outlet)
        outlet.start(attaching: attachments)
        if attachments.isEmpty { outlet.act { $0.end(.finished) } }
    }
}
