import Basics
import Foundation

/// Reads structured fields (RFC 9651, section 4.2). Whatever is not exactly right is refused as a whole.
package struct StructuredFieldParser {
    private struct Defect: Error {}

    private let bytes: [UInt8]
    private var index = 0

    /// The longest field that is read, in bytes, and the most members of it: the least that section 3.2 allows.
    private static let (longest, most) = (1 << 16, 1_024)

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// The members of a dictionary in their order; of several with one key, the last counts. `nil` if the text is not
    /// a dictionary.
    package static func dictionary(_ text: String) -> StructuredField.Dictionary? {
        guard text.utf8.count <= longest else { return nil }
        var parser = StructuredFieldParser(text)
        return try? parser.dictionary()
    }

    /// The members of a list in their order. `nil` if the text is not a list.
    package static func list(_ text: String) -> [StructuredField.Member]? {
        guard text.utf8.count <= longest else { return nil }
        var parser = StructuredFieldParser(text)
        var members: [StructuredField.Member] = []
        let isRead: Void? = try? parser.readMembers { parser in
            guard members.count < most else { throw Defect() }
            members.append(try parser.member())
        }
        return isRead.map { members }
    }

    private mutating func dictionary() throws -> StructuredField.Dictionary {
        var members: StructuredField.Dictionary = []
        try readMembers { parser in
            let key = try parser.key()
            let member =
                try parser.take("=")
                ? parser.member() : .item(.init(value: .boolean(true), parameters: parser.parameters()))
            if let old = members.firstIndex(where: { $0.key == key }) {
                members[old].member = member
            } else {
                guard members.count < Self.most else { throw Defect() }
                members.append((key, member))
            }
        }
        return members
    }

    /// Reads what is between commas, to the end of the text.
    private mutating func readMembers(_ read: (inout StructuredFieldParser) throws -> Void) throws {
        skip { $0 == UInt8(ascii: " ") }
        guard index < bytes.count else { return }
        while true {
            try read(&self)
            skip { $0.isBlank }
            guard index < bytes.count else { return }
            guard take(",") else { throw Defect() }
            skip { $0.isBlank }
            guard index < bytes.count else { throw Defect() }
        }
    }

    private mutating func member() throws -> StructuredField.Member {
        guard take("(") else { return .item(try item()) }
        var items: [StructuredField.Item] = []
        while true {
            skip { $0 == UInt8(ascii: " ") }
            if take(")") { return .list(items, try parameters()) }
            items.append(try item())
            guard index < bytes.count, [UInt8(ascii: " "), UInt8(ascii: ")")].contains(bytes[index]) else {
                throw Defect()
            }
        }
    }

    private mutating func item() throws -> StructuredField.Item {
        StructuredField.Item(value: try bareItem(), parameters: try parameters())
    }

    private mutating func parameters() throws -> StructuredField.Parameters {
        var parameters = StructuredField.Parameters()
        while take(";") {
            skip { $0 == UInt8(ascii: " ") }
            let key = try key()
            guard parameters.all.count < Self.most else { throw Defect() }
            parameters[key] = try take("=") ? bareItem() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws -> String {
        let key = text { $0.isStructuredKey }
        guard key.isStructuredKey else { throw Defect() }
        return key
    }

    private mutating func bareItem() throws -> StructuredField.BareItem {
        guard index < bytes.count else { throw Defect() }
        switch bytes[index] {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: ":"): return try byteSequence()
        case UInt8(ascii: "?"):
            index += 1
            if take("1") { return .boolean(true) }
            guard take("0") else { throw Defect() }
            return .boolean(false)
        case UInt8(ascii: "*"): return token()
        case let byte where byte.isASCIILetter: return token()
        default: return try number()
        }
    }

    private mutating func token() -> StructuredField.BareItem {
        .token(text { $0.isToken || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") })
    }

    private mutating func string() throws -> StructuredField.BareItem {
        index += 1
        var content: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return .string(String(decoding: content, as: UTF8.self))
            case UInt8(ascii: "\\"):
                guard index < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[index]) else {
                    throw Defect()
                }
                content.append(bytes[index])
                index += 1
            case 0x20...0x7E: content.append(byte)
            default: throw Defect()
            }
        }
        throw Defect()
    }

    private mutating func byteSequence() throws -> StructuredField.BareItem {
        index += 1
        let base64 = text { $0 != UInt8(ascii: ":") }
        guard take(":"), let bytes = Data(base64Encoded: base64) else { throw Defect() }
        return .bytes(bytes)
    }

    /// An integer has at most 15 digits, a decimal at most 12 and at most 3 after its point.
    private mutating func number() throws -> StructuredField.BareItem {
        let sign = take("-") ? "-" : ""
        let whole = text { $0.isASCIIDigit }
        guard (1...15).contains(whole.utf8.count) else { throw Defect() }
        guard take(".") else {
            guard let value = Int64(sign + whole) else { throw Defect() }
            return .integer(value)
        }
        let fraction = text { $0.isASCIIDigit }
        guard whole.utf8.count <= 12, (1...3).contains(fraction.utf8.count) else { throw Defect() }
        return .decimal(sign + whole + "." + fraction)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while index < bytes.count, condition(bytes[index]) { index += 1 }
    }

    private mutating func text(while condition: (UInt8) -> Bool) -> String {
        let start = index
        skip(while: condition)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}
