@testable import HTTPTransport
import Testing

@Suite struct ConnectionInfoTests {
    @Test(arguments: [
        ("http/1.0", "1.0"), ("http/1.1", "1.1"), ("HTTP/1.1", "1.1"), ("h2", "2"), ("h2c", "2"), ("h3", "3"),
        ("spdy/3", nil), ("", nil),
    ])
    func `A protocol name such as h2 gives the HTTP version, and an unknown name gives nil`(
        name: String,
        version: String?
    ) { #expect(ConnectionInfo.httpVersion(named: name) == version) }

    @Test(arguments: [(0x0301, "1.0"), (0x0303, "1.2"), (0x0304, "1.3"), (0, nil), (0x0300, nil), (0x0305, nil)])
    func `A TLS version number gives the version, and an unknown number gives nil`(number: Int, version: String?) {
        #expect(ConnectionInfo.tlsVersion(numbered: number) == version)
    }
}
