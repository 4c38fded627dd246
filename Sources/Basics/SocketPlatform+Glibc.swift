#if canImport(Glibc)
package import Glibc

/// The names of the socket API on this platform.
package enum SocketPlatform {
    package static let streamType = Int32(SOCK_STREAM.rawValue)
    package static let sendFlags: Int32 = Int32(MSG_NOSIGNAL)

    /// Does nothing, because `sendFlags` turns SIGPIPE off for each call.
    package static func silenceBrokenPipe(_ number: Int32) {}

    package static func makeAddress() -> sockaddr_in { sockaddr_in() }
}
#endif
