public import Basics

extension Publishers {
    /// The way in which a buffer is filled.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// Asks for as many values as the buffer holds, and for another one whenever one was delivered.
        case keepFull
        /// Asks for all values, and keeps those that downstream has not asked for.
        case byRequest
    }

    /// The reaction of a full buffer to another value.
    public enum BufferingStrategy<Failure: Error> {
        /// The value is dropped.
        case dropNewest
        /// The oldest value in the buffer is dropped.
        case dropOldest
        /// Upstream is cancelled. After the values in the buffer, the stream fails with the closure's error.
        case customError(() -> Failure)
    }

    /// A publisher that buffers values until there is demand.
    public struct Buffer<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The maximum number of values in the buffer.
        public let size: Int
        /// The way in which the buffer is filled.
        public let prefetch: PrefetchStrategy
        /// The reaction to another value when the buffer is full.
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

        @inlinable func receive(erased downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Buffer")
            Inlet(outlet, prefetch == .keepFull ? .limited(.max(size)) : .all, startsDownstream: true) {
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
    /// Buffers up to `size` values until there is demand. `whenFull` decides what happens to one more.
    ///
    /// An error of upstream is delivered at once and drops the buffer. The end follows the values in the buffer.
    @inlinable public func buffer(
        size: Int,
        prefetch: Publishers.PrefetchStrategy,
        whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
    }
}
