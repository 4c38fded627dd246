/// Something that decodes a whole value from one piece of input.
public protocol TopLevelDecoder<Input> {
    /// What is decoded.
    associatedtype Input

    /// Decodes a value of `type`, or throws.
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}
