import HTTPTransport
import Testing

@Suite struct CIDRTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"), ("192.0.2.7", "192.0.2.7", "192.0.2.6"),
        ("192.0.2.6/31", "192.0.2.7", "192.0.2.8"), ("0.0.0.0/0", "255.255.255.255", "::1"),
        ("fd00::/8", "fdff::1", "fc00::1"), ("2001:db8::8000:0/97", "2001:db8::ffff:1", "2001:db8::1"),
        ("::1", "::1", "::2"), ("::/0", "2001:db8::1", "10.0.0.1"),
        ("::ffff:10.0.0.0/104", "10.1.2.3", "::10.1.2.3"), ("10.0.0.0/8", "::ffff:10.1.2.3", "::a01:203"),
    ])
    func `CIDR.contains is true only for addresses that share the network's prefix bits`(
        text: String,
        inside: String,
        outside: String
    ) throws {
        let network = try #require(CIDR(text))
        #expect(network.contains(inside))
        #expect(!network.contains(outside))
        #expect(!network.contains("localhost"))
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8/8",
        "10.0.0.1/8", "10/8", "10.0.0/24", "10.0.0.0 /8", "fd00::/129", "fd00::1/8", "fe80::1%lo", "[::1]/128",
        "localhost", "10.0.0.0/255.0.0.0", "10.0.0.0\0/8",
    ])
    func `CIDR(_:) returns nil for malformed text, and a malformed CIDR literal contains no address`(text: String) {
        #expect(CIDR(text) == nil)
        let literal = CIDR(stringLiteral: text)
        #expect(!literal.contains("10.0.0.1"))
        #expect(literal.description == text)
    }

    @Test func `Equivalent spellings of a CIDR network are equal and have one canonical description`() {
        #expect(CIDR("FD00:0::/8") == "fd00::/8")
        #expect("\(CIDR(stringLiteral: "FD00:0::/8"))" == "fd00::/8")
        #expect("\(CIDR(stringLiteral: "127.0.0.2"))" == "127.0.0.2/32")
        #expect(CIDR("::ffff:10.0.0.0/104") == "10.0.0.0/8")
    }
}
