extension Publishers {
    /// A publisher that encodes each value.
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher where Upstream.Output: Encodable {
        /// What the encoder makes.
        public typealias Output = Coder.Output

        /// Upstream's failure, or the encoder's error.
        public typealias Failure = any Error

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What encodes.
        public let encoder: Coder

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, encoder: Coder) {
            self.upstream = upstream
            self.encoder = encoder
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Conduit(EncodeStage<_, Upstream.Failure, _>(encoder: encoder), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher where Output: Encodable {
    /// Encodes each value; if that fails, cancels upstream and fails with the encoder's error.
    @inlinable
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
        Publishers.Encode(upstream: self, encoder: encoder)
    }
}

@usableFromInline
struct EncodeStage<Input: Encodable, UpstreamFailure: Error, Coder: TopLevelEncoder>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Output = Coder.Output
    @usableFromInline typealias Failure = any Error

    @inlinable static var name: String { "Encode" }
    @usableFromInline let encoder: Coder

    @inlinable
    init(encoder: Coder) { self.encoder = encoder }

    @inlinable
    func step(for input: Input) -> Step<Output, any Error> {
        do { return .pass(try encoder.encode(input)) } catch { return .fail(error) }
    }
}
