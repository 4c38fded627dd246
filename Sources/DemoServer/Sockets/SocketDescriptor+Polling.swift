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
    /// The state of a socket that a thread waits for.
    enum Readiness {
        case readable
        case writable

        fileprivate var events: Int16 {
            switch self {
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            }
        }
    }

    /// Waits until the socket is ready or has failed; what it is, the next attempt says.
    func wait(until readiness: Readiness, before deadline: ContinuousClock.Instant) throws {
        guard try SocketDescriptor.firstReady(of: [self], for: readiness, before: deadline) != nil else {
            throw SocketError.timedOut
        }
    }

    /// The indices of the descriptors that are ready or have failed, nil where the deadline came first.
    static func firstReady(
        of descriptors: [SocketDescriptor],
        for readiness: Readiness,
        before deadline: ContinuousClock.Instant?
    ) throws -> Set<Int>? {
        var entries = descriptors.map { pollfd(fd: $0.number, events: readiness.events, revents: 0) }
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

    /// Rounded up, so that a wait never ends before its time.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        let whole = left.components.seconds.multipliedReportingOverflow(by: 1_000)
        let part = (left.components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return whole.overflow
            ? Int32.max : Int32(clamping: whole.partialValue.addingReportingOverflow(part).partialValue)
    }
}
