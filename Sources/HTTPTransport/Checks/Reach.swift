/// The addresses that a session may connect with.
///
/// A service that calls URLs which its customers enter (webhooks, images, feeds) can be made to call the machines of
/// its own network (server-side request forgery). ``publicOnly(allowing:)`` prevents that. A `CurlSession` checks the
/// address that is dialed, after the name was resolved; elsewhere only ``allows(host:)`` can be used.
public enum Reach: Sendable, Hashable {
    /// All addresses.
    case anywhere

    /// Public addresses, and those in the networks of `allowing`.
    ///
    /// Refused are, of IPv4: this host and this network (`0.0.0.0/8`), private networks (`10.0.0.0/8`,
    /// `172.16.0.0/12`, `192.168.0.0/16`), carriers' networks (`100.64.0.0/10`), loopback (`127.0.0.0/8`), link-local
    /// addresses with the metadata of clouds (`169.254.0.0/16`), protocol assignments (`192.0.0.0/24`), documentation
    /// (`192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24`), 6to4 relays (`192.88.99.0/24`), benchmarks
    /// (`198.18.0.0/15`), multicast (`224.0.0.0/4`), the rest with broadcast (`240.0.0.0/4`), and `168.63.129.16`, at
    /// which Azure's machines reach their host.
    ///
    /// Of IPv6, all outside of `2000::/3` is refused: loopback, unique local, link-local, multicast and others. Within
    /// it, protocol assignments with Teredo (`2001::/23`), 6to4 (`2002::/16`) and documentation (`2001:db8::/32`,
    /// `3fff::/20`) are. An address that NAT64 translates (`64:ff9b::/96`, RFC 6052) is allowed if its IPv4 address is,
    /// and those of a local NAT64 (`64:ff9b:1::/48`) are not. Source: IANA's special-purpose registries (RFC 6890).
    ///
    /// A machine's own public addresses are public: protect what listens there by other means.
    case publicOnly(allowing: [CIDR] = [])

    /// Whether a host may be reached, as far as its text shows it.
    ///
    /// An address must be allowed, in whatever spelling: `127.1`, `0x7f000001` and `[::ffff:7f00:1]` are all loopback.
    /// A number that some read as octal must be allowed in both meanings. Text that looks like an address and is none is
    /// not allowed. A name always is, since only its resolution gives the address.
    public func allows(host: String) -> Bool {
        guard self != .anywhere, let readings = IPAddress.readings(of: host) else { return true }
        return !readings.isEmpty && readings.allSatisfy(allows)
    }

    func allows(_ address: IPAddress) -> Bool {
        guard case .publicOnly(let allowed) = self else { return true }
        if allowed.contains(where: { $0.contains(address) }) { return true }
        if Self.translated.contains(address) { return allows(address.embedded) }
        guard address.isV4 || Self.globalV6.contains(address) else { return false }
        return !Self.special.contains { $0.contains(address) }
    }

    private static let translated: CIDR = "64:ff9b::/96"

    private static let globalV6: CIDR = "2000::/3"

    private static let special: [CIDR] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
        "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ]
}
