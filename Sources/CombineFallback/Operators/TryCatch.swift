extension Publishers {
    /// A publisher that goes on with another one after a failure, or fails anew.
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The values of both.
        public typealias Output = Upstream.Output

        /// The failure of the second, or what the closure throws.
        public typealias Failure = any Error

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Makes the publisher that goes on.
        public let handler: (Upstream.Failure) throws -> NewPublisher

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            let handler = handler
            let succession = Succession(AnySubscriber(subscriber), name: "TryCatch")
            upstream.attach(
                Leg(of: succession, turn: 0) { (completion: Subscribers.Completion<Upstream.Failure>, turn) in
                    guard case .failure(let error) = completion else { return succession.finish(.finished, turn: turn) }
                    guard let next = succession.next(after: turn) else { return }
                    do {
                        try handler(error).attach(
                            Leg(of: succession, turn: next) {
                                (completion: Subscribers.Completion<NewPublisher.Failure>, turn) in
                                succession.finish(completion.mapError { $0 }, turn: turn)
                            }
                        )
                    } catch {
                        succession.finish(.failure(error), turn: next)
                    }
                }
            )
        }
    }
}

extension Publisher {
    /// If upstream fails, goes on with the publisher that `handler` makes of the error, or fails with what it throws.
    @inlinable
    public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
    where P.Output == Output {
        Publishers.TryCatch(upstream: self, handler: handler)
    }
}
