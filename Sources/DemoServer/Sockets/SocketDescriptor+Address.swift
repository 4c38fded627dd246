#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension SocketDescriptor {
    /// Binds to the address and starts to listen.
    func listen(host: String, port: UInt16, backlog: Int32) throws {
        var address = try SocketDescriptor.address(host: host, port: port)
        let bound = withSocketAddress(&address) { bind(number, $0, $1) }
        guard bound == 0 else {
            let code = errno
            throw code == EADDRINUSE
                ? SocketError.addressInUse(host: host, port: port) : SocketError.system(call: "bind", code: code)
        }
        guard systemListen(number, backlog) == 0 else { throw SocketError.system(call: "listen", code: errno) }
    }

    /// The port the socket is bound to.
    func boundPort() throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withSocketAddress(&address) { pointer, _ in getsockname(number, pointer, &length) }
        guard result == 0 else { throw SocketError.system(call: "getsockname", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The next waiting connection, nil where there is none (any more).
    func acceptNext() throws -> SocketDescriptor? {
        while true {
            let accepted = accept(number, nil, nil)
            if accepted >= 0 { return SocketDescriptor(number: accepted) }
            let code = errno
            switch code {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK, ECONNABORTED, EPROTO: return nil
            default: throw SocketError.system(call: "accept", code: code)
            }
        }
    }

    /// Connects, waiting no longer than the deadline.
    func connect(host: String, port: UInt16, before deadline: ContinuousClock.Instant) throws {
        var address = try SocketDescriptor.address(host: host, port: port)
        guard withSocketAddress(&address, { systemConnect(number, $0, $1) }) != 0 else { return }
        guard errno == EINPROGRESS else { throw SocketError.system(call: "connect", code: errno) }
        try wait(until: .writable, before: deadline)
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code == 0 else {
            throw SocketError.system(call: "connect", code: code)
        }
    }

    private static func address(host: String, port: UInt16) throws -> sockaddr_in {
        var address = SocketPlatform.makeAddress()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw SocketError.invalidAddress(host: host) }
        return address
    }

    private func withSocketAddress(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

private func systemListen(_ number: Int32, _ backlog: Int32) -> Int32 { listen(number, backlog) }

private func systemConnect(_ number: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(number, address, length)
}
