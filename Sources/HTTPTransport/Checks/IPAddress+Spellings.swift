import Basics

extension IPAddress {
    /// The addresses that a host may mean if it is written as an address, in any spelling that resolvers know: nil for
    /// a name, and empty if it looks like an address and is not valid.
    ///
    /// IPv4 is also written with fewer than four numbers, the last of which fills the rest, and with octal and
    /// hexadecimal numbers (inet_aton(3)). As some read a leading zero as octal and others do not, it has two meanings.
    /// A name never ends in a number (HTML's URL standard, section 3.5).
    static func readings(of host: String) -> [IPAddress]? {
        var host = host[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.utf8.contains(UInt8(ascii: ":")) {
            let withoutZone = host.prefix { $0 != "%" }
            return IPAddress(String(withoutZone)).map { [$0] } ?? []
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, last.looksLikeNumber else { return nil }
        return Array(Set([true, false].compactMap { address(of: labels, readingOctal: $0) }))
    }

    private static func address(of labels: [Substring], readingOctal: Bool) -> IPAddress? {
        let numbers = labels.compactMap { $0.number(readingOctal: readingOctal) }
        guard numbers.count == labels.count, numbers.count <= 4, let last = numbers.last else { return nil }
        let first = numbers.dropLast()
        guard first.allSatisfy({ $0 <= 0xFF }), last >> (8 * UInt64(5 - numbers.count)) == 0 else { return nil }
        let high = first.enumerated().reduce(UInt64(0)) { $0 | $1.element << UInt64(24 - 8 * $1.offset) }
        return IPAddress(v4: UInt32(truncatingIfNeeded: high | last))
    }
}

extension Substring {
    private var isHexadecimal: Bool { hasPrefix("0x") || hasPrefix("0X") }

    fileprivate var looksLikeNumber: Bool {
        isHexadecimal ? utf8.dropFirst(2).allSatisfy(\.isASCIIHexDigit) : !isEmpty && utf8.allSatisfy(\.isASCIIDigit)
    }

    fileprivate func number(readingOctal: Bool) -> UInt64? {
        guard looksLikeNumber else { return nil }
        if isHexadecimal { return count == 2 ? 0 : UInt64(dropFirst(2), radix: 16) }
        return UInt64(self, radix: readingOctal && hasPrefix("0") ? 8 : 10)
    }
}
