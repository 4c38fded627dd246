/// A value that can stand in a query: text, numbers, Booleans, enumerations of those, and lists of them.
public protocol QueryValue {
    /// The value as it is written: one text, or one for each element of a list.
    var queryTexts: [String] { get }

    /// The value that is written so; `nil` if there is none.
    init?(queryTexts: [String])
}

extension QueryValue where Self: LosslessStringConvertible {
    /// The value's description.
    public var queryTexts: [String] { [description] }

    /// Reads the first text.
    public init?(queryTexts: [String]) {
        guard let text = queryTexts.first else { return nil }
        self.init(text)
    }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// The texts of the raw value.
    public var queryTexts: [String] { rawValue.queryTexts }

    /// Reads the raw value.
    public init?(queryTexts: [String]) {
        guard let value = RawValue(queryTexts: queryTexts) else { return nil }
        self.init(rawValue: value)
    }
}

extension String: QueryValue {}
extension Substring: QueryValue {}
extension Bool: QueryValue {}
extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt: QueryValue {}
extension UInt8: QueryValue {}
extension UInt16: QueryValue {}
extension UInt32: QueryValue {}
extension UInt64: QueryValue {}
extension Double: QueryValue {}
extension Float: QueryValue {}

extension UUID: QueryValue {
    /// The text in upper case, as Foundation has it.
    public var queryTexts: [String] { [uuidString] }

    /// Reads the first text.
    public init?(queryTexts: [String]) {
        guard let text = queryTexts.first else { return nil }
        self.init(uuidString: text)
    }
}

extension Array: QueryValue where Element: QueryValue {
    /// Those of all elements, one after another.
    public var queryTexts: [String] { flatMap(\.queryTexts) }

    /// Reads each text as an element; `nil` if one is none.
    public init?(queryTexts: [String]) {
        let elements = queryTexts.compactMap { Element(queryTexts: [$0]) }
        guard elements.count == queryTexts.count else { return nil }
        self = elements
    }
}
