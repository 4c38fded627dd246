extension Publishers {
    /// A publisher that continues with another one after a failure.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: ErasedPublisher
    where Upstream.Output == NewPublisher.Output {
        /// The values of both.
        public typealias Output = Upstream.Output

        /// The failure of the second.
        public typealias Failure = NewPublisher.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// Makes the publisher that follows.
        public let handler: (Upstream.Failure) -> NewPublisher
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            (self.upstream, self.handler) = (upstream, handler)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let (outlet, handler) = (Outlet(downstream, name: "Catch"), handler)
            outlet.forward(upstream, startsDownstream: true) { state, completion in
                guard case .failure(let error) = completion else {
                    state.end(.finished)
                    return nil
                }
                return { outlet.forward(handler(error)) }
            }
        }
    }

    /// A publisher that continues with another one after a failure, or fails with another error.
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: ErasedPublisher
    where Upstream.Output == NewPublisher.Output {
        /// The values of both.
        public typealias Output = Upstream.Output

        /// The failure of the second, or what the closure throws.
        public typealias Failure = any Error

        /// The upstream publisher.
        public let upstream: Upstream
        /// Makes the publisher that follows.
        public let handler: (Upstream.Failure) throws -> NewPublisher
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            (self.upstream, self.handler) = (upstream, handler)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let (outlet, handler) = (Outlet(downstream, name: "TryCatch"), handler)
            outlet.forward(upstream, startsDownstream: true) { state, completion in
                guard case .failure(let error) = completion else {
                    state.end(.finished)
                    return nil
                }
                return {
                    do {
                        try outlet.forward(handler(error).mapError { $0 as any Error })
                    } catch {
                        outlet.act { $0.end(.failure(error)) }
                    }
                }
            }
        }
    }
}

extension Publisher {
    /// If upstream fails, continues with the publisher that `handler` returns, which gets the demand that is left.
    @inlinable public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where P.Output == Output {
        .init(upstream: self, handler: handler)
    }

    /// If upstream fails, continues with the publisher that `handler` returns, or fails with the error that it throws.
    @inlinable
    public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
    where P.Output == Output {
        .init(upstream: self, handler: handler)
    }
}
