@testable import HTTPTransport
import Testing

@Suite struct ConnectionInfoTests {
    @Test(arguments: [
        ("http/1.0", "1.0"), ("http/1.1", "1.1"), ("HTTP/1.1", "1.1"), ("h2", "2"), ("h2c", "2"), ("h3", "3"),
        ("spdy/3", nil), ("", nil),
    ])
    func `ConnectionInfo.httpVersion(named:) maps h2 to HTTP 2, and an unknown name to nil`(
        name: String,
        version: String?
    ) { #expect(ConnectionInfo.httpVersion(named: name) == version) }

    @Test(arguments: [(0x0301, "1.0"), (0x0303, "1.2"), (0x0304, "1.3"), (0, nil), (0x0300, nil), (0x0305, nil)])
    func `ConnectionInfo.tlsVersion(numbered:) maps 0x0304 to 1.3, and an unknown number to nil`(
        number: Int,
        version: String?
    ) {
        #expect(ConnectionInfo.tlsVersion(numbered: number) == version)
    }
}
