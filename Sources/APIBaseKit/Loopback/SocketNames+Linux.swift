#if !canImport(Darwin)
import Foundation

extension SocketNames {
    #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    static let stream = SOCK_STREAM
    #endif
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Does nothing, because `sendFlags` turns SIGPIPE off for each call.
    static func silenceBrokenPipe(_ number: Int32) {}

    static func makeAddress() -> sockaddr_in { sockaddr_in() }
}
#endif
