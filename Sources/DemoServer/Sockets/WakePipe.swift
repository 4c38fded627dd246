#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Wakes a thread that waits in `poll`. Closes its two descriptors with itself.
final class WakePipe: Sendable {
    /// Readable after ``wake()``, until ``drain()``.
    let receiver: SocketDescriptor
    private let sender: SocketDescriptor

    init() throws {
        var numbers: [Int32] = [0, 0]
        guard pipe(&numbers) == 0 else { throw SocketError.system(call: "pipe", code: errno) }
        receiver = SocketDescriptor(number: numbers[0])
        sender = SocketDescriptor(number: numbers[1])
        for number in numbers {
            _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        receiver.dispose()
        sender.dispose()
    }

    /// A full pipe is as good: its reader has been woken already.
    func wake() {
        var byte: UInt8 = 1
        _ = write(sender.number, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(receiver.number, &bytes, bytes.count) == bytes.count {}
    }
}
