extension Publishers {
    /// A publisher of the latest values of two publishers, whenever one of them has a new one.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
        /// The latest value of each.
        public typealias Output = (A.Output, B.Output)

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
            let junction = Junction(AnySubscriber(subscriber), name: "CombineLatest", ports: 2)
            let (lastA, lastB) = (Cell<A.Output?>(nil), Cell<B.Output?>(nil))
            func combined() -> Output? {
                guard let a = lastA.value, let b = lastB.value else { return nil }
                return (a, b)
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
        }
    }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
    /// Publishes the latest values of all, as soon as each has one, whenever one of them has a new one.
    ///
    /// It finishes when all have; if one fails, the others are cancelled. A result for which there is no demand is lost.
    @inlinable
    public func combineLatest<P: Publisher>(
        _ publisher: P
    ) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
        Publishers.CombineLatest(self, publisher)
    }

    /// Publishes what `transform` makes of the latest values of all, whenever one of them has a new one.
    @inlinable
    public func combineLatest<P: Publisher, T>(
        _ publisher: P,
        _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
        combineLatest(publisher).map(transform)
    }
}
