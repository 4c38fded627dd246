public import Basics

extension Publishers {
    /// The way in which a buffer is filled.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// As many values are asked for as the buffer holds, and another whenever one has been delivered.
        case keepFull
        /// Everything is asked for; what comes before downstream asks for it is kept.
        case byRequest
    }

    /// The handling of a value for which a buffer has no room.
    public enum BufferingStrategy<Failure: Error> {
        /// The value is dropped.
        case dropNewest
        /// The value that has waited longest is dropped.
        case dropOldest
        /// Upstream is cancelled, and after the values that are kept the stream fails with the error that the closure makes.
        case customError(() -> Failure)
    }

    /// A publisher that keeps values until they are asked for.
    public struct Buffer<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The number of values that are kept at most.
        public let size: Int
        /// The way in which the buffer is filled.
        public let prefetch: PrefetchStrategy
        /// The handling of a value for which there is no room.
        public let whenFull: BufferingStrategy<Upstream.Failure>
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            size: Int,
            prefetch: PrefetchStrategy,
            whenFull: BufferingStrategy<Upstream.Failure>
        ) {
            (self.upstream, self.size, self.prefetch, self.whenFull) = (upstream, size, prefetch, whenFull)
        }

        @inlinable func serve(_ downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Buffer")
            Inlet(outlet, prefetch == .keepFull ? .few(.max(size)) : .all, begins: true) {
                [size, whenFull] state, value, inlet in
                if state.queue.count < size {
                    state.enqueue(&value, from: inlet)
                    return nil
                }
                switch whenFull {
                case .dropNewest:
                    return nil
                case .dropOldest:
                    guard let oldest = state.queue.popFirst() else { return nil }
                    state.enqueue(&value, from: inlet)
                    value = oldest.value
                    return nil
                case .customError(let makeError):
                    return {
                        let error = makeError()
                        outlet.act { $0.finish(.failure(error)) }
                    }
                }
            }
            .attach(to: upstream)
        }
    }
}

extension Publisher {
    /// Keeps up to `size` values until they are asked for; `whenFull` says what is done with one more.
    ///
    /// An error of upstream overtakes the values that are kept; the end comes after them.
    @inlinable public func buffer(
        size: Int,
        prefetch: Publishers.PrefetchStrategy,
        whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
    }
}
