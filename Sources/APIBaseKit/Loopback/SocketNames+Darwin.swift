#if canImport(Darwin)
import Foundation

extension SocketNames {
    static let stream = SOCK_STREAM
    static let sendFlags: Int32 = 0

    /// Sets an option of the socket, because `send` has no flag for it.
    static func silenceBrokenPipe(_ number: Int32) {
        var value: Int32 = 1
        _ = setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    static func makeAddress() -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        return address
    }
}
#endif
