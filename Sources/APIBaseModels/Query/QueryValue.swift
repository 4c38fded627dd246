/// A value for a query: a text, a number, a Boolean, an enumeration of those, or a list of them.
public protocol QueryValue {
    /// The value as text: one text, or one for each element of a list.
    var queryTexts: [String] { get }

    /// Reads a value; `nil` if the texts are no such value. By default `nil`, for a type that is only sent.
    init?(queryTexts: [String])
}

extension QueryValue {
    /// Reads nothing.
    public init?(queryTexts: [String]) { nil }
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
    /// The text in upper case, as in Foundation.
    public var queryTexts: [String] { [uuidString] }

    /// Reads the first text.
    public init?(queryTexts: [String]) {
        guard let text = queryTexts.first else { return nil }
        self.init(uuidString: text)
    }
}

extension Decimal: QueryValue {
    /// The digits, with a point in every locale: `19.99`.
    public var queryTexts: [String] { [description] }

    /// Reads the first text, if all of it is a number.
    public init?(queryTexts: [String]) {
        guard let value = queryTexts.first.flatMap(Decimal.init(number:)) else { return nil }
        self = value
    }
}

extension Date: QueryValue {
    /// The time in UTC (RFC 3339): `2026-11-24T08:30:00Z`, or with milliseconds if it has a fraction of a
    /// second. The seconds since 1970 for a year that has not four digits.
    public var queryTexts: [String] { [internetText ?? "\(timeIntervalSince1970)"] }

    /// Reads the first text, with or without a fraction of a second.
    public init?(queryTexts: [String]) {
        guard let date = queryTexts.first.flatMap({ Date(internetText: $0) }) else { return nil }
        self = date
    }
}

extension JSONValue: QueryValue {
    /// The text of a text, a number or a Boolean, those of the elements of an array, the JSON of an object, and none for
    /// null.
    public var queryTexts: [String] {
        switch self {
        case .null: []
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.queryTexts)
        case .bool, .integer, .number, .object: [description]
        }
    }
}

extension Array: QueryValue where Element: QueryValue {
    /// The texts of all elements.
    public var queryTexts: [String] { flatMap(\.queryTexts) }

    /// Reads each text as an element; `nil` if one cannot be read.
    public init?(queryTexts: [String]) {
        let elements = queryTexts.compactMap { Element(queryTexts: [$0]) }
        guard elements.count == queryTexts.count else { return nil }
        self = elements
    }
}

extension OpenEnum: QueryValue where Known.RawValue: QueryValue {}
