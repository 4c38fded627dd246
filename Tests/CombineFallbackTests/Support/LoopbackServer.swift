import Foundation
import Basics

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Answers every connection on a free port of this machine with the same response, or never if `status` is nil.
final class LoopbackServer: Sendable {
    struct NoSocket: Error {}

    let url: URL
    let onAccept = Locked<(() -> Void)?>(nil)
    private let listener: Int32
    private let count = Locked(0)
    private let hangUp = DispatchSemaphore(value: 0)

    #if canImport(Glibc)
    private static let streams = Int32(SOCK_STREAM.rawValue)
    #else
    private static let streams = SOCK_STREAM
    #endif

    var accepted: Int { count.withLock { $0 } }

    init(status: String?, body: String) throws {
        let listener = socket(AF_INET, Self.streams, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
            throw NoSocket()
        }
        self.listener = listener
        self.url = url
        let response = status.map {
            "HTTP/1.1 \($0)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        }
        let (count, onAccept, hangUp) = (count, onAccept, hangUp)
        Thread.detachNewThread {
            // The thread closes the listener: its number could be that of another server before it is asked again.
            defer { close(listener) }
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                count.withLock { $0 += 1 }
                var buffer = [UInt8](repeating: 0, count: 4096)
                _ = recv(client, &buffer, buffer.count, 0)
                onAccept.withLock { $0 }?()
                if let response {
                    _ = send(client, response, response.utf8.count, Int32(MSG_NOSIGNAL))
                } else {
                    while recv(client, &buffer, buffer.count, 0) > 0 {}
                    hangUp.signal()
                }
                close(client)
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    func waitForHangUp(seconds: Double) -> Bool { hangUp.wait(timeout: .now() + seconds) == .success }
}
