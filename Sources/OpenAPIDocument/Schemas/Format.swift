import Foundation

/// The formats of texts and integers that leave no doubt. Others are not checked.
enum Format: String, Sendable {
    case dateTime = "date-time"
    case date, uuid, ipv4, ipv6, email, uri, int32, int64

    var phrase: String {
        switch self {
        case .dateTime: "a date-time such as 2030-12-31T23:59:59Z"
        case .date: "a date such as 2030-12-31"
        case .uuid: "a UUID"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        case .email: "an email address"
        case .uri: "a URI"
        case .int32: "an integer of 32 bits"
        case .int64: "an integer of 64 bits"
        }
    }

    /// Whether it is a format of numbers.
    var isOfNumbers: Bool { self == .int32 || self == .int64 }

    /// Whether the text has the format; of a format of integers, whether the number has it.
    func fits(_ text: String) -> Bool {
        switch self {
        case .int32, .int64: return fitsNumber(text)
        case .ipv4: return Self.isAddress(text, AF_INET)
        case .ipv6: return Self.isAddress(text, AF_INET6)
        default:
            var text = text
            return text.withUTF8 { fits($0[...]) }
        }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private func fits(_ bytes: Bytes) -> Bool {
        switch self {
        case .dateTime: return Self.isDateTime(bytes)
        case .date: return Self.isDate(bytes)
        case .uuid: return Self.has("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", bytes)
        case .email:
            let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            return parts.count == 2 && !parts.contains { $0.isEmpty }
        case .uri:
            let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
            return scheme.count < bytes.count && Self.isScheme(scheme) && !bytes.contains(UInt8(ascii: " "))
        case .ipv4, .ipv6, .int32, .int64: return true
        }
    }

    private func fitsNumber(_ text: String) -> Bool {
        Self.isInteger(text, in: self == .int32 ? Int64(Int32.min)...Int64(Int32.max) : .min ... .max)
    }

    /// Whether the text is as the shape, where `d` is a digit and `x` a hexadecimal one.
    private static func has(_ shape: StaticString, _ bytes: Bytes) -> Bool {
        guard bytes.count == shape.utf8CodeUnitCount else { return false }
        for (index, byte) in bytes.enumerated() {
            let form = shape.utf8Start[index]
            switch form {
            case UInt8(ascii: "d"): if !isDigit(byte) { return false }
            case UInt8(ascii: "x"): if !isHexadecimal(byte) { return false }
            default: if byte != form { return false }
            }
        }
        return true
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func number(_ bytes: Bytes) -> Int { bytes.reduce(0) { $0 * 10 + Int($1) - 0x30 } }

    private static func isDate(_ bytes: Bytes) -> Bool {
        guard has("dddd-dd-dd", bytes) else { return false }
        let (year, month, day) = (
            number(bytes.prefix(4)), number(bytes.dropFirst(5).prefix(2)), number(bytes.suffix(2))
        )
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let days = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        return 1...12 ~= month && 1...days ~= day
    }

    private static func isDateTime(_ bytes: Bytes) -> Bool {
        guard isDate(bytes.prefix(10)), let divider = bytes.dropFirst(10).first, "Tt ".utf8.contains(divider) else {
            return false
        }
        let time = bytes.dropFirst(11).prefix(8)
        var rest = bytes.dropFirst(19)
        guard isTime(time.prefix(5)), has("dd:dd:dd", time), number(time.suffix(2)) <= 60 else { return false }
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            if fraction.isEmpty { return false }
            rest = rest.dropFirst(fraction.count + 1)
        }
        guard let offset = rest.popFirst() else { return false }
        return "Zz".utf8.contains(offset) ? rest.isEmpty : "+-".utf8.contains(offset) && isTime(rest)
    }

    private static func isTime(_ bytes: Bytes) -> Bool {
        has("dd:dd", bytes) && number(bytes.prefix(2)) < 24 && number(bytes.suffix(2)) < 60
    }

    private static func isScheme(_ bytes: Bytes) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+.-".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

    /// Whether the system reads the text as an address of the family.
    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        var address = in6_addr()
        return !text.utf8.contains(0) && inet_pton(family, text, &address) == 1
    }

    private static func isInteger(_ text: String, in range: ClosedRange<Int64>) -> Bool {
        if let integer = Int64(text) { return range.contains(integer) }
        guard let number = ExactNumber(text), number.isInteger else { return false }
        let limits = (ExactNumber("\(range.lowerBound)"), ExactNumber("\(range.upperBound)"))
        guard let least = limits.0, let most = limits.1 else { return false }
        return least...most ~= number
    }
}
