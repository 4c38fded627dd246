#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A non-blocking socket's number and the system calls made with it. Holds no lock and owns nothing: whoever has it
/// decides when ``dispose()`` is called.
struct SocketDescriptor: Equatable, Sendable {
    let number: Int32

    /// The outcome of one attempt to move bytes.
    enum Attempt {
        case moved(Int)
        case wouldBlock
    }

    /// A new TCP socket for IPv4.
    static func makeStream() throws -> SocketDescriptor {
        let number = socket(AF_INET, SocketPlatform.streamType, 0)
        guard number >= 0 else { throw SocketError.system(call: "socket", code: errno) }
        let descriptor = SocketDescriptor(number: number)
        do {
            try descriptor.prepare()
        } catch {
            descriptor.dispose()
            throw error
        }
        return descriptor
    }

    /// Makes the socket non-blocking, unknown to child processes, and silent where the system would raise SIGPIPE.
    func prepare() throws {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { throw SocketError.system(call: "fcntl", code: errno) }
        SocketPlatform.silenceBrokenPipe(number)
    }

    func set(_ option: Int32, at level: Int32 = SOL_SOCKET, to value: Int32 = 1) throws {
        var value = value
        guard setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw SocketError.system(call: "setsockopt", code: errno)
        }
    }

    /// Lets a port be bound again while old connections of it are still fading out.
    func allowQuickRebinding() throws {
        try set(SO_REUSEADDR)
    }

    /// Sends small segments at once instead of waiting for more (RFC 896).
    func disableDelay() {
        try? set(TCP_NODELAY, at: Int32(IPPROTO_TCP))
    }

    /// Makes the next ``dispose()`` reset the connection instead of ending it.
    func resetWhenDisposed() {
        var value = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(number, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws -> Attempt {
        try attempt("recv") { recv(number, buffer.baseAddress, buffer.count, 0) }
    }

    func send(_ buffer: UnsafeRawBufferPointer) throws -> Attempt {
        try attempt("send") { systemSend(number, buffer.baseAddress, buffer.count) }
    }

    private func attempt(_ call: String, _ body: () -> Int) throws -> Attempt {
        while true {
            let count = body()
            if count >= 0 { return .moved(count) }
            let code = errno
            if code == EAGAIN || code == EWOULDBLOCK { return .wouldBlock }
            guard code == EINTR else { throw SocketError.system(call: call, code: code) }
        }
    }

    func endSending() { _ = shutdown(number, Int32(SHUT_WR)) }
    func endBothWays() { _ = shutdown(number, Int32(SHUT_RDWR)) }
    func dispose() { _ = close(number) }
}

private func systemSend(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    send(number, start, count, SocketPlatform.sendFlags)
}
