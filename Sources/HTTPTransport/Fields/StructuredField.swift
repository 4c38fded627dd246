import Basics
package import Foundation

/// Values of structured fields (RFC 9651, section 3), and how they are written (section 4.1).
package enum StructuredField {
    /// A bare item, without dates and display strings, which no field that is read here has.
    package enum BareItem: Hashable, Sendable {
        case integer(Int64)
        /// A number with a fraction, as it is written.
        case decimal(String)
        case string(String)
        case token(String)
        case bytes(Data)
        case boolean(Bool)
    }

    /// Parameters in their order; of several with one name, the last counts, in the place of the first. The order
    /// counts when they are written, and not when they are compared (RFC 9421, section 2).
    package struct Parameters: Hashable, Sendable {
        package private(set) var all: [Parameter] = []

        package init() {}

        package static func == (left: Parameters, right: Parameters) -> Bool { Set(left.all) == Set(right.all) }

        package func hash(into hasher: inout Hasher) { hasher.combine(Set(all)) }

        package subscript(name: String) -> BareItem? {
            get { all.first { $0.name == name }?.value }
            set {
                let index = all.firstIndex { $0.name == name }
                switch (newValue, index) {
                case (let value?, let index?): all[index].value = value
                case (let value?, nil): all.append(Parameter(name: name, value: value))
                case (nil, let index?): all.remove(at: index)
                case (nil, nil): break
                }
            }
        }
    }

    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var value: BareItem
    }

    package struct Item: Hashable, Sendable {
        package var value: BareItem
        package var parameters = Parameters()

        package init(value: BareItem, parameters: Parameters = Parameters()) {
            (self.value, self.parameters) = (value, parameters)
        }
    }

    package enum Member: Hashable, Sendable {
        case item(Item)
        case list([Item], Parameters)
    }

    package typealias Dictionary = [(key: String, member: Member)]
}

extension StructuredField.BareItem {
    /// A text as a string; `nil` if it is not printable ASCII (section 3.3.3).
    package init?(string: String) {
        guard string.utf8.allSatisfy({ $0 < 0x80 && !$0.isControl }) else { return nil }
        self = .string(string)
    }

    /// As it is written.
    package var text: String {
        switch self {
        case .integer(let value): String(value)
        case .decimal(let text), .token(let text): text
        case .string(let text): "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        case .bytes(let bytes): ":" + bytes.base64EncodedString() + ":"
        case .boolean(let value): value ? "?1" : "?0"
        }
    }
}

extension StructuredField.Parameters {
    /// As they are written.
    package var text: String {
        all.map { $0.value == .boolean(true) ? ";\($0.name)" : ";\($0.name)=\($0.value.text)" }.joined()
    }
}

extension StructuredField.Item {
    /// As it is written.
    package var text: String { value.text + parameters.text }
}

extension StructuredField.Member {
    /// As it is written, without its key.
    package var text: String {
        switch self {
        case .item(let item): item.text
        case .list(let items, let parameters): "(" + items.map(\.text).joined(separator: " ") + ")" + parameters.text
        }
    }

    /// As it is written with its key.
    package func text(key: String) -> String {
        guard case .item(let item) = self, item.value == .boolean(true) else { return key + "=" + text }
        return key + item.parameters.text
    }
}

extension String {
    /// Whether this is a key (RFC 9651, section 3.1.2).
    package var isStructuredKey: Bool {
        guard let first = utf8.first, first == UInt8(ascii: "*") || first.isLowercaseLetter else { return false }
        return utf8.allSatisfy(\.isStructuredKey)
    }
}

extension UInt8 {
    fileprivate var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    var isStructuredKey: Bool { isLowercaseLetter || isASCIIDigit || "_-.*".utf8.contains(self) }
}
