extension Publishers {
    /// A publisher of the values of two publishers, as they come.
    public struct Merge<A: Publisher, B: Publisher<A.Output, A.Failure>>: Publisher {
        /// The values of all of them.
        public typealias Output = A.Output
        /// The failure of all of them.
        public typealias Failure = A.Failure

        /// One of the publishers.
        public let a: A
        /// One of the publishers.
        public let b: B

        /// Creates the publisher.
        @inlinable
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: [outlet.merging(a), outlet.merging(b)])
        }
    }

    /// A publisher of the values of three publishers, as they come.
    public struct Merge3<A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>>: Publisher
    {
        /// The values of all of them.
        public typealias Output = A.Output
        /// The failure of all of them.
        public typealias Failure = A.Failure

        /// One of the publishers.
        public let a: A
        /// One of the publishers.
        public let b: B
        /// One of the publishers.
        public let c: C

        /// Creates the publisher.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C) {
            (self.a, self.b, self.c) = (a, b, c)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: [outlet.merging(a), outlet.merging(b), outlet.merging(c)])
        }
    }

    /// A publisher of the values of four publishers, as they come.
    public struct Merge4<
        A: Publisher,
        B: Publisher<A.Output, A.Failure>,
        C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>
    >: Publisher {
        /// The values of all of them.
        public typealias Output = A.Output
        /// The failure of all of them.
        public typealias Failure = A.Failure

        /// One of the publishers.
        public let a: A
        /// One of the publishers.
        public let b: B
        /// One of the publishers.
        public let c: C
        /// One of the publishers.
        public let d: D

        /// Creates the publisher.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            (self.a, self.b, self.c, self.d) = (a, b, c, d)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: [outlet.merging(a), outlet.merging(b), outlet.merging(c), outlet.merging(d)])
        }
    }

    /// A publisher of the values of five publishers, as they come.
    public struct Merge5<
        A: Publisher,
        B: Publisher<A.Output, A.Failure>,
        C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>,
        E: Publisher<A.Output, A.Failure>
    >: Publisher {
        /// The values of all of them.
        public typealias Output = A.Output
        /// The failure of all of them.
        public typealias Failure = A.Failure

        /// One of the publishers.
        public let a: A
        /// One of the publishers.
        public let b: B
        /// One of the publishers.
        public let c: C
        /// One of the publishers.
        public let d: D
        /// One of the publishers.
        public let e: E

        /// Creates the publisher.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: [
                outlet.merging(a), outlet.merging(b), outlet.merging(c), outlet.merging(d), outlet.merging(e),
            ])
        }
    }

    /// A publisher of the values of six publishers, as they come.
    public struct Merge6<
        A: Publisher,
        B: Publisher<A.Output, A.Failure>,
        C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>,
        E: Publisher<A.Output, A.Failure>,
        F: Publisher<A.Output, A.Failure>
    >: Publisher {
        /// The values of all of them.
        public typealias Output = A.Output
        /// The failure of all of them.
        public typealias Failure = A.Failure

        /// One of the publishers.
        public let a: A
        /// One of the publishers.
        public let b: B
        /// One of the publishers.
        public let c: C
        /// One of the publishers.
        public let d: D
        /// One of the publishers.
        public let e: E
        /// One of the publishers.
        public let f: F

        /// Creates the publisher.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: [
                outlet.merging(a), outlet.merging(b), outlet.merging(c), outlet.merging(d), outlet.merging(e),
                outlet.merging(f),
            ])
        }
    }

    /// A publisher of the values of seven publishers, as they come.
    public struct Merge7<
        A: Publisher,
        B: Publisher<A.Output, A.Failure>,
        C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>,
        E: Publisher<A.Output, A.Failure>,
        F: Publisher<A.Output, A.Failure>,
        G: Publisher<A.Output, A.Failure>
    >: Publisher {
        /// The values of all of them.
        public typealias Output = A.Output
        /// The failure of all of them.
        public typealias Failure = A.Failure

        /// One of the publishers.
        public let a: A
        /// One of the publishers.
        public let b: B
        /// One of the publishers.
        public let c: C
        /// One of the publishers.
        public let d: D
        /// One of the publishers.
        public let e: E
        /// One of the publishers.
        public let f: F
        /// One of the publishers.
        public let g: G

        /// Creates the publisher.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            (self.a, self.b, self.c, self.d, self.e, self.f, self.g) = (a, b, c, d, e, f, g)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: [
                outlet.merging(a), outlet.merging(b), outlet.merging(c), outlet.merging(d), outlet.merging(e),
                outlet.merging(f), outlet.merging(g),
            ])
        }
    }

    /// A publisher of the values of eight publishers, as they come.
    public struct Merge8<
        A: Publisher,
        B: Publisher<A.Output, A.Failure>,
        C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>,
        E: Publisher<A.Output, A.Failure>,
        F: Publisher<A.Output, A.Failure>,
        G: Publisher<A.Output, A.Failure>,
        H: Publisher<A.Output, A.Failure>
    >: Publisher {
        /// The values of all of them.
        public typealias Output = A.Output
        /// The failure of all of them.
        public typealias Failure = A.Failure

        /// One of the publishers.
        public let a: A
        /// One of the publishers.
        public let b: B
        /// One of the publishers.
        public let c: C
        /// One of the publishers.
        public let d: D
        /// One of the publishers.
        public let e: E
        /// One of the publishers.
        public let f: F
        /// One of the publishers.
        public let g: G
        /// One of the publishers.
        public let h: H

        /// Creates the publisher.
        @inlinable
        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
            (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h) = (a, b, c, d, e, f, g, h)
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: [
                outlet.merging(a), outlet.merging(b), outlet.merging(c), outlet.merging(d), outlet.merging(e),
                outlet.merging(f), outlet.merging(g), outlet.merging(h),
            ])
        }
    }

    /// A publisher of the values of any number of publishers, as they come.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// The values of all of them.
        public typealias Output = Upstream.Output
        /// The failure of all of them.
        public typealias Failure = Upstream.Failure

        /// The publishers.
        public let publishers: [Upstream]

        /// Creates the publisher.
        @inlinable
        public init(_ upstream: Upstream...) { publishers = upstream }

        /// Creates the publisher.
        @inlinable
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let outlet = Outlet(subscriber, name: "Merge")
            outlet.begin(attaching: publishers.map(outlet.merging))
            if publishers.isEmpty { outlet.act { $0.end(.finished) } }
        }

        /// Adds a publisher.
        @inlinable
        public func merge(with other: Upstream) -> Self { .init(publishers + [other]) }
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
