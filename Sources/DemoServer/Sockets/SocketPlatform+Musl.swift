#if canImport(Musl) || canImport(Android)

#if canImport(Musl)
import Musl
#else
import Android
#endif

/// The names of the socket API on this platform.
enum SocketPlatform {
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = Int32(MSG_NOSIGNAL)

    /// Does nothing, because `sendFlags` turns SIGPIPE off for each call.
    static func silenceBrokenPipe(_ number: Int32) {}

    static func makeAddress() -> sockaddr_in { sockaddr_in() }
}
#endif
