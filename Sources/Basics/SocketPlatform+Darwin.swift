#if canImport(Darwin)
package import Darwin

/// The names of the socket API on this platform.
package enum SocketPlatform {
    package static let streamType = SOCK_STREAM
    package static let sendFlags: Int32 = 0

    /// Sets an option of the socket, because `send` has no flag for it.
    package static func silenceBrokenPipe(_ number: Int32) {
        var value: Int32 = 1
        _ = setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    package static func makeAddress() -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        return address
    }
}
#endif
