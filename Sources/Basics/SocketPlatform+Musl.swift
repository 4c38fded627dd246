#if canImport(Musl) || canImport(Android)

#if canImport(Musl)
package import Musl
#else
package import Android
#endif

/// The names of the socket API on this platform.
package enum SocketPlatform {
    package static let streamType = SOCK_STREAM
    package static let sendFlags: Int32 = Int32(MSG_NOSIGNAL)

    /// Does nothing, because `sendFlags` turns SIGPIPE off for each call.
    package static func silenceBrokenPipe(_ number: Int32) {}

    package static func makeAddress() -> sockaddr_in { sockaddr_in() }
}
#endif
