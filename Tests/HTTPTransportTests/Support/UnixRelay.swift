#if os(Linux)
import Foundation
import LoopbackServer

/// Relays one connection from a Unix domain socket to a port.
final class UnixRelay: Sendable {
    private let descriptor: Int32
    private let path: String

    init(_ path: String, to port: UInt16) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let server = try SocketConnection(connectingTo: port)
        Thread.detachNewThread { [descriptor] in
            let client = accept(descriptor, nil, nil)
            Thread.detachNewThread {
                while let bytes = try? server.read(), !bytes.isEmpty { _ = write(client, bytes, bytes.count) }
                shutdown(client, Int32(SHUT_RDWR))
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(client, &buffer, buffer.count), count > 0 {
                try? server.write(Array(buffer[..<count]))
            }
            server.close()
        }
    }

    func stop() {
        close(descriptor)
        unlink(path)
    }
}
#endif
