extension Publishers {
    /// A publisher that goes on with another one after a failure.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Serving
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
        @inlinable public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            (self.upstream, self.handler) = (upstream, handler)
        }

        @inlinable func serve(_ downstream: Downstream) {
            let (outlet, handler) = (Outlet(downstream, name: "Catch"), handler)
            outlet.follow(upstream, begins: true) { state, completion in
                guard case .failure(let error) = completion else {
                    state.end(.finished)
                    return nil
                }
                return { outlet.follow(handler(error)) }
            }
        }
    }

    /// A publisher that goes on with another one after a failure, or fails anew.
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Serving
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
        @inlinable public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            (self.upstream, self.handler) = (upstream, handler)
        }

        @inlinable func serve(_ downstream: Downstream) {
            let (outlet, handler) = (Outlet(downstream, name: "TryCatch"), handler)
            outlet.follow(upstream, begins: true) { state, completion in
                guard case .failure(let error) = completion else {
                    state.end(.finished)
                    return nil
                }
                return {
                    do {
                        try outlet.follow(handler(error).mapError { $0 as any Error })
                    } catch {
                        outlet.act { $0.end(.failure(error)) }
                    }
                }
            }
        }
    }
}

extension Publisher {
    /// If upstream fails, goes on with the publisher that `handler` makes of the error; what is still asked for is asked
    /// of it.
    @inlinable public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where P.Output == Output {
        .init(upstream: self, handler: handler)
    }

    /// If upstream fails, goes on with the publisher that `handler` makes of the error, or fails with what it throws.
    @inlinable
    public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
    where P.Output == Output {
        .init(upstream: self, handler: handler)
    }
}
