import Basics

/// A socket that listens on 127.0.0.1. None of its calls blocks.
final class LoopbackSocket: Sendable {
    let number: Int32
    let port: UInt16

    /// Whether nobody accepts connections.
    let isFree = Locked(true)

    init() throws {
        let number = try FileDescriptor.check { socket(AF_INET, SocketPlatform.streamType, 0) }
        do {
            try Self.prepare(number)
            var address = SocketPlatform.makeAddress()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            port = try Self.listen(number, at: &address)
            self.number = number
        } catch {
            Self.close(number)
            throw error
        }
    }

    deinit { Self.close(number) }

    private static func listen(_ number: Int32, at address: inout sockaddr_in) throws -> UInt16 {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = try FileDescriptor.check { bind(number, generic, length) }
                _ = try FileDescriptor.check { SocketNames.listen(number, 16) }
                _ = try FileDescriptor.check { getsockname(number, generic, &length) }
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
    }

    private static func prepare(_ number: Int32) throws {
        _ = try FileDescriptor.check { fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
        _ = try FileDescriptor.check { fcntl(number, F_SETFD, FD_CLOEXEC) }
    }

    /// The next connection; nil if none waits.
    ///
    /// - Throws: `POSIXError` if the system gives none, as with too many open files. The connection still waits then.
    func accept() throws -> Int32? {
        do {
            let connection = try FileDescriptor.check { SocketNames.accept(number) }
            do { try Self.prepare(connection) } catch {
                Self.close(connection)
                return nil
            }
            SocketPlatform.silenceBrokenPipe(connection)
            return connection
        } catch let error as POSIXError where [.EMFILE, .ENFILE, .ENOMEM, .ENOBUFS].contains(error.code) {
            throw error
        } catch {
            return nil
        }
    }

    /// The bytes that have arrived, none at the end; nil if there are none yet.
    static func receive(from number: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        do {
            let count = try FileDescriptor.check { recv(number, &bytes, bytes.count, 0) }
            return Array(bytes[..<count])
        } catch POSIXError.EAGAIN {
            return nil
        } catch {
            return []
        }
    }

    static func send(_ bytes: [UInt8], to number: Int32) {
        _ = try? FileDescriptor.check { SocketNames.send(number, bytes) }
    }

    static func close(_ number: Int32) { SocketNames.close(number) }
}
