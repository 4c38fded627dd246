extension Publishers {
    /// A publisher of the value of a property of each value.
    public struct MapKeyPath<Upstream: Publisher, Output>: FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The property.
        public let keyPath: KeyPath<Upstream.Output, Output>

        @inlinable init(_ upstream: Upstream, _ keyPath: KeyPath<Upstream.Output, Output>) {
            (self.upstream, self.keyPath) = (upstream, keyPath)
        }

        @inlinable func serve(_ downstream: Downstream) {
            relay(to: downstream) { [keyPath] in $0[keyPath: keyPath] }
        }
    }

    /// A publisher of the values of two properties of each value.
    public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: FailurePassing {
        /// The values of the properties.
        public typealias Output = (Output0, Output1)

        /// The publisher this one is made from.
        public let upstream: Upstream
        /// One of the properties.
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        /// One of the properties.
        public let keyPath1: KeyPath<Upstream.Output, Output1>

        @inlinable func serve(_ downstream: Downstream) {
            relay(to: downstream) { [keyPath0, keyPath1] in
                ($0[keyPath: keyPath0], $0[keyPath: keyPath1])
            }
        }
    }

    /// A publisher of the values of three properties of each value.
    public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: FailurePassing {
        /// The values of the properties.
        public typealias Output = (Output0, Output1, Output2)

        /// The publisher this one is made from.
        public let upstream: Upstream
        /// One of the properties.
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        /// One of the properties.
        public let keyPath1: KeyPath<Upstream.Output, Output1>
        /// One of the properties.
        public let keyPath2: KeyPath<Upstream.Output, Output2>

        @inlinable func serve(_ downstream: Downstream) {
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
