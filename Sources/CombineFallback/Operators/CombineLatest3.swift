extension Publishers {
    /// A publisher of the latest values of three publishers, whenever one of them has a new one.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, A.Failure == C.Failure {
        /// The latest value of each.
        public typealias Output = (A.Output, B.Output, C.Output)

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
            self.a = a
            self.b = b
            self.c = c
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction(AnySubscriber(subscriber), name: "CombineLatest", ports: 3)
            let (lastA, lastB, lastC) = (Cell<A.Output?>(nil), Cell<B.Output?>(nil), Cell<C.Output?>(nil))
            func combined() -> Output? {
                guard let a = lastA.value, let b = lastB.value, let c = lastC.value else { return nil }
                return (a, b, c)
            }
            subscriber.receive(subscription: Link(junction))
            junction.connect(0, to: a) {
                swap(&$0, &lastA.value)
                return combined()
            }
            junction.connect(1, to: b) {
                swap(&$0, &lastB.value)
                return combined()
            }
            junction.connect(2, to: c) {
                swap(&$0, &lastC.value)
                return combined()
            }
        }
    }
}

extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publisher {
    /// Publishes the latest values of all, as soon as each has one, whenever one of them has a new one.
    ///
    /// It finishes when all have; if one fails, the others are cancelled. A result for which there is no demand is lost.
    @inlinable
    public func combineLatest<P: Publisher, Q: Publisher>(
        _ publisher1: P,
        _ publisher2: Q
    ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, publisher1, publisher2)
    }

    /// Publishes what `transform` makes of the latest values of all, whenever one of them has a new one.
    @inlinable
    public func combineLatest<P: Publisher, Q: Publisher, T>(
        _ publisher1: P,
        _ publisher2: Q,
        _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
        combineLatest(publisher1, publisher2).map(transform)
    }
}
