import HTTPTransport
import Testing

/// What a host shows about its address, in every spelling.
@Suite struct ReachTests {
    static let special = [
        // This machine.
        "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0X7F000001", "017700000001",
        "0177.0.0.1", "0177.1", "0x7f.1", "0x7f.0x0.0x0.0x1", "127.0.0x1", "00000177.0.0.01", "127.0.0.1.", "127.1.",
        "0", "0.0.0.0", "0x", "0x0", "00", "[::1]", "::1", "[::]", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0000:0:0:0:0:FFFF:7F00:0001]", "[::ffff:0.0.0.0]",
        // Private networks, and those of carriers.
        "10.0.0.1", "10.1", "167772161", "012.0.0.1", "0xa.1", "172.16.0.1", "172.31.255.255", "192.168.0.1",
        "192.168.257", "3232235521", "100.64.0.1", "100.127.255.255", "[::ffff:10.0.0.1]", "[::ffff:a00:1]",
        "[fc00::1]", "[fd12:3456::1]", "[fec0::1]",
        // Octal to one, decimal to another.
        "010.0.0.1", "0127.0.0.1", "0169.254.169.254",
        // Link-local, and the metadata of clouds.
        "169.254.0.1", "169.254.169.254", "169.254.43518", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376",
        "168.63.129.16", "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]", "[fd20:ce::254]", "[fe80::1]",
        "fe80::1%eth0", "[fe80::1%25eth0]", "[::ffff:169.254.169.254]",
        // Translated, tunnelled.
        "[64:ff9b::10.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::8.8.8.8]",
        "[2002:7f00:1::]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]", "[2001:0:1::80ff:fffe]", "[2001::1]",
        "[::8.8.8.8]", "[::ffff:0:10.0.0.1]",
        // Multicast, broadcast, documentation, benchmarks, the rest.
        "224.0.0.1", "239.255.255.255", "255.255.255.255", "240.0.0.1", "4294967295", "[ff02::1]", "[ff0e::1]",
        "192.0.2.1", "198.51.100.1", "203.0.113.1", "[2001:db8::1]", "[3fff::1]", "198.18.0.1", "198.19.255.255",
        "192.0.0.1", "192.88.99.1", "[100::1]", "[2001:2::1]", "[5f00::1]", "[4000::1]",
        // Looks like an address, and is none.
        "256.0.0.1", "127.0.0.256", "1.2.3.4.5", "4294967296", "08.0.0.0x100000000", "1..1", "127.0.0.0x100", "[::1",
        "example.1", "[::g]",
    ]

    @Test(arguments: special)
    func `Reach.publicOnly() rejects a host that is a non-public or malformed IP address`(host: String) {
        #expect(!Reach.publicOnly().allows(host: host))
        #expect(Reach.anywhere.allows(host: host))
    }

    @Test(arguments: [
        "8.8.8.8", "1.1", "134744072", "0x8080808", "8.8.8.8.", "9.255.255.255", "11.0.0.1", "100.63.255.255",
        "100.128.0.1", "172.15.255.255", "172.32.0.1", "192.167.1.1", "192.169.1.1", "169.253.0.1", "198.17.0.1",
        "198.20.0.1", "223.255.255.255", "168.63.129.17", "[2600::1]", "[2a00:1450::1]", "[2001:200::1]",
        "[64:ff9b::8.8.8.8]", "[::ffff:8.8.8.8]", "[2003::1]",
    ])
    func `Reach.publicOnly() allows a host that is a public IP address, in any spelling`(host: String) {
        #expect(Reach.publicOnly().allows(host: host))
    }

    @Test(arguments: ["example.com", "localhost", "a.1.example", "0xg", "1a", "10.0.0.1.example", "x0x7f000001", ""])
    func `Reach.publicOnly() allows a host name, because its address is not known yet`(host: String) {
        #expect(Reach.publicOnly().allows(host: host))
    }

    @Test func `Reach.publicOnly(allowing:) also allows the addresses of the given CIDR blocks`() {
        let reach = Reach.publicOnly(allowing: ["10.1.0.0/16", "fd00::/16", "::1"])
        let allowed = [
            "10.1.2.3", "10.66051", "[fd00::1]", "[::1]", "[::ffff:10.1.0.1]", "[64:ff9b::10.1.0.1]", "8.8.8.8",
        ]
        for host in allowed {
            #expect(reach.allows(host: host), "\(host)")
        }
        for host in ["10.2.0.1", "127.0.0.1", "[fd01::1]", "[64:ff9b::10.2.0.1]", "012.2.0.1"] {
            #expect(!reach.allows(host: host), "\(host)")
        }
        #expect(!Reach.publicOnly(allowing: ["10.0.0.1/8", "::/0"]).allows(host: "10.0.0.1"))
    }
}
