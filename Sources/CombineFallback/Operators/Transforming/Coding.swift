#if !canImport(Combine)
public import Foundation
#endif

extension Publishers {
    /// A publisher that decodes each value.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Throwing
    where Upstream.Output == Coder.Input {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The decoder of the values.
        public let decoder: Coder
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, decoder: Coder) {
            (self.upstream, self.decoder) = (upstream, decoder)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "Decode") { [decoder] in .pass(try decoder.decode(Output.self, from: $0)) }
        }
    }

    /// A publisher that encodes each value.
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Throwing where Upstream.Output: Encodable {
        /// The type that the encoder makes.
        public typealias Output = Coder.Output

        /// The upstream publisher.
        public let upstream: Upstream
        /// The encoder of the values.
        public let encoder: Coder
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, encoder: Coder) {
            (self.upstream, self.encoder) = (upstream, encoder)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "Encode") { [encoder] in .pass(try encoder.encode($0)) }
        }
    }
}

extension Publisher {
    /// Decodes each value as `type`; if that fails, cancels upstream and fails with the decoder's error.
    @inlinable public func decode<Item: Decodable, Coder: TopLevelDecoder>(
        type: Item.Type,
        decoder: Coder
    ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
        Publishers.Decode(upstream: self, decoder: decoder)
    }
}

extension Publisher where Output: Encodable {
    /// Encodes each value; if that fails, cancels upstream and fails with the encoder's error.
    @inlinable public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
        Publishers.Encode(upstream: self, encoder: encoder)
    }
}

/// A type that decodes values from input.
public protocol TopLevelDecoder<Input> {
    /// The type of the encoded form, such as `Data`.
    associatedtype Input

    /// Decodes a value of `type`, or throws.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// A type that encodes values into output.
public protocol TopLevelEncoder<Output> {
    /// The type of the encoded form, such as `Data`.
    associatedtype Output

    /// Encodes `value`, or throws.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

#if !canImport(Combine)
extension JSONDecoder: TopLevelDecoder {}
extension JSONEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
#endif
