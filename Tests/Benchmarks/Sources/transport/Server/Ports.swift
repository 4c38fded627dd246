import Foundation

struct NoPort: Error {}

/// An unused port of the loopback interface.
func freePort() throws -> UInt16 {
    let end = socket(AF_INET, streams, 0)
    defer { close(end) }
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withGeneric(&address) { bind(end, $0, length) == 0 && getsockname(end, $0, &length) == 0 }
    guard isBound else { throw NoPort() }
    return UInt16(bigEndian: address.sin_port)
}

/// Whether somebody listens on the port.
func canConnect(to port: UInt16) -> Bool {
    let end = socket(AF_INET, streams, 0)
    defer { close(end) }
    var address = loopback(port: port)
    return withGeneric(&address) { connect(end, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
}

#if canImport(Glibc)
private let streams = Int32(SOCK_STREAM.rawValue)
#else
private let streams = SOCK_STREAM
#endif

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
}

private func withGeneric<Result>(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
}

struct NoURL: Error {}

extension URL {
    /// The URL, or an error if the text is not a URL.
    init(checking text: String) throws {
        guard let url = URL(string: text) else { throw NoURL() }
        self = url
    }
}
