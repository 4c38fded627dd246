import Basics

/// An identifier that tells one stream from another.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private enum Value: Hashable, Sendable {
        case number(UInt64)
        case object(ObjectIdentifier)
    }

    private static let count = Locked<UInt64>(0)
    static let ofNothing = CombineIdentifier()

    private let value: Value

    /// Creates an identifier that no other is equal to.
    public init() {
        value = .number(
            Self.count.withLock { count in
                count += 1
                return count
            }
        )
    }

    /// Creates the identifier of `object`, which lasts as long as the object does.
    public init(_ object: AnyObject) { value = .object(ObjectIdentifier(object)) }

    /// The identifier as a hexadecimal number.
    public var description: String {
        switch value {
        case .number(let number): "0x" + String(number, radix: 16)
        case .object(let object): "0x" + String(UInt(bitPattern: object), radix: 16)
        }
    }
}
