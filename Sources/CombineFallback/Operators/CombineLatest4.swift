extension Publishers {
    /// A publisher of the latest values of four publishers, whenever one of them has a new one.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
        /// The latest value of each.
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)

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
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let junction = Junction(AnySubscriber(subscriber), name: "CombineLatest", ports: 4)
            let (lastA, lastB, lastC, lastD) = (
                Cell<A.Output?>(nil), Cell<B.Output?>(nil), Cell<C.Output?>(nil), Cell<D.Output?>(nil)
            )
            func combined() -> Output? {
                guard let a = lastA.value, let b = lastB.value, let c = lastC.value, let d = lastD.value else {
                    return nil
                }
                return (a, b, c, d)
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
            junction.connect(3, to: d) {
                swap(&$0, &lastD.value)
                return combined()
            }
        }
    }
}

extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publisher {
    /// Publishes the latest values of all, as soon as each has one, whenever one of them has a new one.
    ///
    /// It finishes when all have; if one fails, the others are cancelled. A result for which there is no demand is lost.
    @inlinable
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
        _ publisher1: P,
        _ publisher2: Q,
        _ publisher3: R
    ) -> Publishers.CombineLatest4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
    }

    /// Publishes what `transform` makes of the latest values of all, whenever one of them has a new one.
    @inlinable
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
        _ publisher1: P,
        _ publisher2: Q,
        _ publisher3: R,
        _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        combineLatest(publisher1, publisher2, publisher3).map(transform)
    }
}
