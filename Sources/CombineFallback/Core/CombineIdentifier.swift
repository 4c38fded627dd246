import Basics

/// An identifier of one publisher stream.
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

/// A value with an identifier.
public protocol CustomCombineIdentifierConvertible {
    /// The identifier of this value.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The identity of the object.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// A value that a playground shows by its description.
protocol Described: CustomStringConvertible, CustomPlaygroundDisplayConvertible {}

extension Described {
    /// The description.
    public var playgroundDescription: Any { description }
}
