extension Publishers {
    /// A publisher of the latest values of two publishers, whenever there is a new one.
    public struct CombineLatest<A: Publisher, B: Publisher>: Joining
    where A.Failure == B.Failure {
        /// One value of each publisher.
        public typealias Output = (A.Output, B.Output)

        /// The publishers.
        public let (a, b): (A, B)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

        @inlinable func receive(erased downstream: Downstream) {
            Combiner(.latest, for: downstream).start { ($0.values(of: a), $0.values(of: b)) }
        }
    }

    /// A publisher of the latest values of three publishers, whenever there is a new one.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Joining
    where A.Failure == B.Failure, A.Failure == C.Failure {
        /// One value of each publisher.
        public typealias Output = (A.Output, B.Output, C.Output)

        /// The publishers.
        public let (a, b, c): (A, B, C)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

        @inlinable func receive(erased downstream: Downstream) {
            Combiner(.latest, for: downstream).start { ($0.values(of: a), $0.values(of: b), $0.values(of: c)) }
        }
    }

    /// A publisher of the latest values of four publishers, whenever there is a new one.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Joining
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
        /// One value of each publisher.
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)

        /// The publishers.
        public let (a, b, c, d): (A, B, C, D)
        /// Creates the publisher.
        @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

        @inlinable func receive(erased downstream: Downstream) {
            Combiner(.latest, for: downstream).start {
                ($0.values(of: a), $0.values(of: b), $0.values(of: c), $0.values(of: d))
            }
        }
    }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publisher {
    /// Publishes the latest values of all publishers whenever there is a new one, once each has a value.
    ///
    /// It finishes when all have. If one fails, the others are cancelled. A result without demand is dropped.
    @inlinable public func combineLatest<P: Publisher>(_ publisher: P) -> Publishers.CombineLatest<Self, P>
    where P.Failure == Failure {
        .init(self, publisher)
    }

    /// Publishes the latest values of all publishers, transformed, whenever there is a new one.
    @inlinable public func combineLatest<P: Publisher, T>(
        _ publisher: P,
        _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
    where P.Failure == Failure {
        combineLatest(publisher).map(transform)
    }

    /// Publishes the latest values of all publishers whenever there is a new one, once each has a value.
    ///
    /// It finishes when all have. If one fails, the others are cancelled. A result without demand is dropped.
    @inlinable public func combineLatest<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q)
        -> Publishers.CombineLatest3<Self, P, Q>
    where P.Failure == Failure, Q.Failure == Failure {
        .init(self, publisher1, publisher2)
    }

    /// Publishes the latest values of all publishers, transformed, whenever there is a new one.
    @inlinable public func combineLatest<P: Publisher, Q: Publisher, T>(
        _ publisher1: P,
        _ publisher2: Q,
        _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
    where P.Failure == Failure, Q.Failure == Failure {
        combineLatest(publisher1, publisher2).map(transform)
    }

    /// Publishes the latest values of all publishers whenever there is a new one, once each has a value.
    ///
    /// It finishes when all have. If one fails, the others are cancelled. A result without demand is dropped.
    @inlinable public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
        _ publisher1: P,
        _ publisher2: Q,
        _ publisher3: R
    ) -> Publishers.CombineLatest4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        .init(self, publisher1, publisher2, publisher3)
    }

    /// Publishes the latest values of all publishers, transformed, whenever there is a new one.
    @inlinable public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
        _ publisher1: P,
        _ publisher2: Q,
        _ publisher3: R,
        _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        combineLatest(publisher1, publisher2, publisher3).map(transform)
    }
}
