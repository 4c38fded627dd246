package import Foundation

/// A port of the loopback interface that refuses connections. It is bound for as long as the object lives, so that no
/// server of another test gets it, as one that has been given back.
package final class RefusingPort: Sendable {
    private struct NoPort: Error {}

    /// The URL of a path at the port.
    package let url: URL
    private let descriptor: Int32

    package init(path: String = "/") throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))\(path)") else {
            close(descriptor)
            throw NoPort()
        }
        self.url = url
    }

    deinit { close(descriptor) }
}
