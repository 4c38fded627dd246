/// Something that encodes a whole value into one piece of output.
public protocol TopLevelEncoder<Output> {
    /// The encoded form that is made, such as `Data`.
    associatedtype Output

    /// Encodes `value`, or throws.
    func encode<T: Encodable>(_ value: T) throws -> Output
}
