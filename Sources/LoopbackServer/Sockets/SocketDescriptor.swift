import Basics
import Foundation

/// The number of a non-blocking socket, with its system calls. It has no lock and no owner: its holder calls
/// ``dispose()``.
struct SocketDescriptor: Equatable, Sendable {
    let number: Int32

    enum Attempt {
        case moved(Int)
        case wouldBlock
    }

    enum Readiness {
        case readable, writable
    }

    static func makeStream() throws -> SocketDescriptor {
        let number = socket(AF_INET, SocketPlatform.streamType, 0)
        guard number >= 0 else { throw SocketError.system(call: "socket", code: errno) }
        let descriptor = SocketDescriptor(number: number)
        try descriptor.disposingOnError { try descriptor.prepare() }
        return descriptor
    }

    /// Runs `body`. Closes the socket if it throws.
    func disposingOnError<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            dispose()
            throw error
        }
    }

    /// Makes the socket non-blocking, hides it from child processes, and turns SIGPIPE off.
    func prepare() throws {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { throw SocketError.system(call: "fcntl", code: errno) }
        SocketPlatform.silenceBrokenPipe(number)
    }

    func set(_ option: Int32, at level: Int32 = SOL_SOCKET) throws {
        var value: Int32 = 1
        guard setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw SocketError.system(call: "setsockopt", code: errno)
        }
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

// MARK: Waiting

extension SocketDescriptor {
    /// Waits until the socket is ready or has failed. The next attempt tells which.
    func wait(until readiness: Readiness, before deadline: ContinuousClock.Instant) throws {
        guard try Self.firstReady(of: [self], for: readiness, before: deadline) != nil else {
            throw SocketError.timedOut
        }
    }

    /// The indices of the descriptors that are ready or have failed; `nil` after the deadline.
    static func firstReady(
        of descriptors: [SocketDescriptor],
        for readiness: Readiness,
        before deadline: ContinuousClock.Instant?
    ) throws -> Set<Int>? {
        let events = Int16(readiness == .readable ? POLLIN : POLLOUT)
        var entries = descriptors.map { pollfd(fd: $0.number, events: events, revents: 0) }
        while true {
            let count = poll(&entries, nfds_t(entries.count), deadline.map(milliseconds(until:)) ?? -1)
            if count > 0 { return Set(entries.indices.filter { entries[$0].revents != 0 }) }
            if count == 0 {
                if let deadline, deadline <= .now { return nil }
            } else if errno != EINTR {
                throw SocketError.system(call: "poll", code: errno)
            }
        }
    }

    /// The time until the deadline, rounded up, so that no wait ends early.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let milliseconds = ((deadline - .now) / .milliseconds(1)).rounded(.up)
        return Int32(min(max(milliseconds, 0), Double(Int32.max)))
    }
}

// MARK: Addresses

extension SocketDescriptor {
    func listen(host: String, port: UInt16, backlog: Int32) throws {
        var address = try Self.address(host: host, port: port)
        guard withSocketAddress(&address, { bind(number, $0, $1) }) == 0 else {
            let code = errno
            if code == EADDRINUSE { throw SocketError.addressInUse(host: host, port: port) }
            throw SocketError.system(call: "bind", code: code)
        }
        guard systemListen(number, backlog) == 0 else { throw SocketError.system(call: "listen", code: errno) }
    }

    func boundPort() throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withSocketAddress(&address) { pointer, _ in getsockname(number, pointer, &length) }
        guard result == 0 else { throw SocketError.system(call: "getsockname", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The next waiting connection, or `nil`.
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

    func connect(host: String, port: UInt16, before deadline: ContinuousClock.Instant) throws {
        var address = try Self.address(host: host, port: port)
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

// The system calls that methods of the same name hide.

private func systemSend(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    send(number, start, count, SocketPlatform.sendFlags)
}

private func systemListen(_ number: Int32, _ backlog: Int32) -> Int32 { listen(number, backlog) }

private func systemConnect(_ number: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(number, address, length)
}
