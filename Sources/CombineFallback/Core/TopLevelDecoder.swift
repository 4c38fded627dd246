/// Something that decodes a whole value from one piece of input.
public protocol TopLevelDecoder<Input> {
    /// The encoded form that is decoded, such as `Data`.
    associatedtype Input

    /// Decodes a value of `type`, or throws.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}
