/// Something that encodes a whole value into one piece of output.
public protocol TopLevelEncoder<Output> {
    /// What is made.
    associatedtype Output

    /// Encodes `value`, or throws.
    func encode<T: Encodable>(_ value: T) throws -> Output
}
