extension Publishers {
    /// A publisher that subscribes to upstream again when it fails.
    public struct Retry<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The number of times that it subscribes again; without limit if nil.
        public let retries: Int?
        /// Creates the publisher.
        public init(upstream: Upstream, retries: Int?) {
            (self.upstream, self.retries) = (upstream, retries)
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            let (outlet, upstream) = (Outlet(downstream, name: "Retry"), upstream)
            var (left, isFirst) = (retries ?? .max, true)
            var (isDue, isSubscribing) = (true, false)
            /// Subscribes in a loop, so that a publisher that fails at once does not deepen the stack.
            func subscribe() {
                func isNext() -> Bool {
                    defer { (isDue, isSubscribing) = (false, isDue) }
                    return isDue
                }
                while outlet.state.withLock({ _ in isNext() }) {
                    defer { isFirst = false }
                    outlet.forward(upstream, startsDownstream: isFirst) { state, completion in
                        guard case .failure = completion, left > 0 else {
                            state.end(completion)
                            return nil
                        }
                        left -= 1
                        isDue = true
                        return isSubscribing ? nil : subscribe
                    }
                }
            }
            subscribe()
        }
    }
}

extension Publisher {
    /// Subscribes to upstream again when it fails, at most `retries` times, with the demand that is left.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}
