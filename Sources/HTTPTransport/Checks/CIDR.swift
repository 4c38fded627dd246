/// A network: all IPv4 or IPv6 addresses with the same first bits (CIDR notation, RFC 4632, section 3.1).
///
/// Written as `10.0.0.0/8` or `fd00::/8`; a single address is a network of one. Bits after the length must be zero,
/// since otherwise either the address or the length is a mistake. An IPv4 address and the same address in its mapped
/// IPv6 form are one; a shorter IPv6 network, such as `::/0`, contains no IPv4 addresses.
public struct CIDR: Sendable, Hashable {
    private let network: IPAddress?
    private let length: Int
    /// The text of a literal that is no network.
    private let wrong: String?

    /// Creates a network; nil if the text is not a network.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        // As written: a mapped address has the length of IPv6.
        let missing = network.isV4 && !text.contains(":") ? 96 : 0
        var length = 128
        if parts.count == 2 {
            guard let number = Self.number(parts[1]), number + missing <= 128 else { return nil }
            length = number + missing
        }
        guard network.prefix(length) == network else { return nil }
        (self.network, self.length, wrong) = (network, length, nil)
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...3).contains(text.utf8.count), text == "0" || !text.hasPrefix("0") else { return nil }
        return text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// Whether this is a network: false only for an invalid literal.
    var isValid: Bool { network != nil }

    /// Whether the network contains the address, in its standard spelling (`192.0.2.1`, `2001:db8::1`). False for
    /// anything else, such as a name.
    public func contains(_ address: String) -> Bool { IPAddress(address).map(contains) ?? false }

    func contains(_ address: IPAddress) -> Bool {
        guard let network, network.isV4 || !address.isV4 else { return false }
        return address.prefix(length) == network
    }
}

extension CIDR: ExpressibleByStringLiteral {
    /// Creates a network. One with a mistake contains nothing, and fails the exchanges of a session with
    /// ``TransportError/Reason/invalidConfiguration(setting:)``.
    public init(stringLiteral text: String) {
        self = CIDR(text) ?? CIDR(wrong: text)
    }

    private init(wrong: String) {
        (network, length, self.wrong) = (nil, 0, wrong)
    }
}

extension CIDR: CustomStringConvertible {
    /// The network in its standard spelling, with its length.
    public var description: String {
        guard let network else { return wrong ?? "" }
        return "\(network)/\(network.isV4 ? length - 96 : length)"
    }
}
