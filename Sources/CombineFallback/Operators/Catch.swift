extension Publishers {
    /// A publisher that goes on with another one after a failure.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The values of both.
        public typealias Output = Upstream.Output

        /// The failure of the second.
        public typealias Failure = NewPublisher.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Makes the publisher that goes on.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let handler = handler
            let succession = Succession(AnySubscriber(subscriber), name: "Catch")
            upstream.attach(
                Leg(of: succession, turn: 0) { completion, turn in
                    guard case .failure(let error) = completion else { return succession.finish(.finished, turn: turn) }
                    guard let next = succession.next(after: turn) else { return }
                    handler(error).attach(Leg(of: succession, turn: next, end: succession.finish))
                }
            )
        }
    }
}

extension Publisher {
    /// If upstream fails, goes on with the publisher that `handler` makes of the error; what is still asked for is asked
    /// of it.
    @inlinable
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where P.Output == Output {
        Publishers.Catch(upstream: self, handler: handler)
    }
}
