extension Publishers {
    /// A publisher that transforms each value with a closure.
    public struct Map<Upstream: Publisher, Output>: FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms a value.
        public let transform: (Upstream.Output) -> Output
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable func receive(erased downstream: Downstream) {
            relay(to: downstream) { [transform] in transform($0) }
        }
    }

    /// A publisher that transforms each value with a closure, and fails with what the closure throws.
    public struct TryMap<Upstream: Publisher, Output>: Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms a value.
        public let transform: (Upstream.Output) throws -> Output
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "TryMap") { [transform] in .pass(try transform($0)) }
        }
    }
}

extension Publisher {
    /// Transforms each value with a closure.
    @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    /// Transforms each value with a closure; if it throws, cancels upstream and fails with its error.
    @inlinable public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }

    /// Publishes `output` in place of each nil.
    @inlinable public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
        Publishers.Map(upstream: self) { $0 ?? output }
    }
}

extension Publishers.Map {
    /// Transforms each value further, in one step instead of two.
    @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
        Publishers.Map<Upstream, T>(upstream: upstream) { [first = self.transform] in transform(first($0)) }
    }

    /// Transforms each value further with a throwing closure, in one step instead of two.
    @inlinable public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        Publishers.TryMap<Upstream, T>(upstream: upstream) { [first = self.transform] in try transform(first($0)) }
    }
}

extension Publishers.TryMap {
    /// Transforms each value further, in one step instead of two.
    @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
        Publishers.TryMap<Upstream, T>(upstream: upstream) { [first = self.transform] in transform(try first($0)) }
    }

    /// Transforms each value further with a throwing closure, in one step instead of two.
    @inlinable public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        Publishers.TryMap<Upstream, T>(upstream: upstream) { [first = self.transform] in try transform(first($0)) }
    }
}

extension Publishers {
    /// A publisher of the value of a property of each value.
    public struct MapKeyPath<Upstream: Publisher, Output>: FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The property.
        public let keyPath: KeyPath<Upstream.Output, Output>

        @inlinable init(_ upstream: Upstream, _ keyPath: KeyPath<Upstream.Output, Output>) {
            (self.upstream, self.keyPath) = (upstream, keyPath)
        }

        @inlinable func receive(erased downstream: Downstream) {
            relay(to: downstream) { [keyPath] in $0[keyPath: keyPath] }
        }
    }

    /// A publisher of the values of two properties of each value.
    public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: FailurePassing {
        /// The values of the properties.
        public typealias Output = (Output0, Output1)

        /// The upstream publisher.
        public let upstream: Upstream
        /// One of the properties.
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        /// One of the properties.
        public let keyPath1: KeyPath<Upstream.Output, Output1>

        @inlinable func receive(erased downstream: Downstream) {
            relay(to: downstream) { [keyPath0, keyPath1] in
                ($0[keyPath: keyPath0], $0[keyPath: keyPath1])
            }
        }
    }

    /// A publisher of the values of three properties of each value.
    public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: FailurePassing {
        /// The values of the properties.
        public typealias Output = (Output0, Output1, Output2)

        /// The upstream publisher.
        public let upstream: Upstream
        /// One of the properties.
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        /// One of the properties.
        public let keyPath1: KeyPath<Upstream.Output, Output1>
        /// One of the properties.
        public let keyPath2: KeyPath<Upstream.Output, Output2>

        @inlinable func receive(erased downstream: Downstream) {
            relay(to: downstream) { [keyPath0, keyPath1, keyPath2] in
                ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2])
            }
        }
    }
}

extension Publisher {
    /// Publishes the value of a property of each value.
    @inlinable public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
        Publishers.MapKeyPath(self, keyPath)
    }

    /// Publishes the values of two properties of each value.
    public func map<T0, T1>(
        _ keyPath0: KeyPath<Output, T0>,
        _ keyPath1: KeyPath<Output, T1>
    ) -> Publishers.MapKeyPath2<Self, T0, T1> {
        Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
    }

    /// Publishes the values of three properties of each value.
    public func map<T0, T1, T2>(
        _ keyPath0: KeyPath<Output, T0>,
        _ keyPath1: KeyPath<Output, T1>,
        _ keyPath2: KeyPath<Output, T2>
    ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
        Publishers.MapKeyPath3(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
    }
}
