extension Publishers {
    /// A publisher that decodes each value.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
    where Upstream.Output == Coder.Input {
        /// Upstream's failure, or the decoder's error.
        public typealias Failure = any Error

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What decodes.
        public let decoder: Coder

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, decoder: Coder) {
            self.upstream = upstream
            self.decoder = decoder
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(
                Conduit(DecodeStage<Output, Upstream.Failure, _>(decoder: decoder), AnySubscriber(subscriber))
            )
        }
    }
}

extension Publisher {
    /// Decodes each value as `type`; if that fails, cancels upstream and fails with the decoder's error.
    @inlinable
    public func decode<Item: Decodable, Coder: TopLevelDecoder>(
        type: Item.Type,
        decoder: Coder
    ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
        Publishers.Decode(upstream: self, decoder: decoder)
    }
}

@usableFromInline
struct DecodeStage<Output: Decodable, UpstreamFailure: Error, Coder: TopLevelDecoder>: Stage {
    @usableFromInline typealias Input = Coder.Input
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = any Error

    @inlinable static var name: String { "Decode" }
    @usableFromInline let decoder: Coder

    @inlinable
    init(decoder: Coder) { self.decoder = decoder }

    @inlinable
    func step(for input: Input) -> Step<Output, any Error> {
        do { return .pass(try decoder.decode(Output.self, from: input)) } catch { return .fail(error) }
    }
}
