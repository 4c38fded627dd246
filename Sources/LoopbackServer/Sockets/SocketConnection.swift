package import Foundation
import Basics

/// One TCP connection, with deadlines for reads and writes.
///
/// One thread at a time may read, and one may write. ``close()`` and ``reset()`` may be called from any thread, and
/// make a waiting read or write fail with ``SocketError/closed``. A write to a peer that is gone is an error, not a
/// signal.
package final class SocketConnection: Sendable {
    private struct State {
        var descriptor: SocketDescriptor?
        var isClosing = false
        var operations = 0
    }

    private let state: Locked<State>
    /// Bytes that were received, but not yet read.
    private let surplus = Locked<[UInt8]>([])

    package static var defaultDeadline: ContinuousClock.Instant { .now + .seconds(60) }

    /// Takes ownership of a connected socket. Closes it if it cannot be prepared.
    init(descriptor: SocketDescriptor) throws {
        try descriptor.disposingOnError { try descriptor.prepare() }
        // Sends small segments at once instead of waiting for more (RFC 896).
        try? descriptor.set(TCP_NODELAY, at: Int32(IPPROTO_TCP))
        state = Locked(State(descriptor: descriptor))
    }

    package convenience init(
        connectingTo port: UInt16,
        host: String = "127.0.0.1",
        before deadline: ContinuousClock.Instant = defaultDeadline
    ) throws {
        let descriptor = try SocketDescriptor.makeStream()
        try descriptor.disposingOnError { try descriptor.connect(host: host, port: port, before: deadline) }
        try self.init(descriptor: descriptor)
    }

    deinit { close() }

    /// Whether this side has closed the connection.
    package var isClosed: Bool { state.withLock { $0.isClosing } }

    /// Ends the stream of this side. Reading is still possible.
    package func finishWriting() { try? withDescriptor { $0.endSending() } }

    /// Ends both streams. Does nothing the second time.
    package func close() { end(byReset: false) }

    /// Resets the connection, so that the next read or write of the peer fails. Does nothing if it is closed.
    package func reset() { end(byReset: true) }

    private func end(byReset: Bool) {
        let (descriptor, isBusy) = state.withLock { state -> (SocketDescriptor?, Bool) in
            guard !state.isClosing, let descriptor = state.descriptor else { return (nil, false) }
            state.isClosing = true
            if byReset { descriptor.resetWhenDisposed() }
            if state.operations > 0 {
                // Wakes waiting threads. Under the lock, because the system could reuse the number otherwise.
                descriptor.endBothWays()
                return (descriptor, true)
            }
            state.descriptor = nil
            return (descriptor, false)
        }
        if !isBusy { descriptor?.dispose() }
    }

    /// Runs an operation. The descriptor stays open until it ends.
    private func withDescriptor<Result>(_ body: (SocketDescriptor) throws -> Result) throws -> Result {
        let descriptor = try state.withLock { state -> SocketDescriptor in
            guard !state.isClosing, let descriptor = state.descriptor else { throw SocketError.closed }
            state.operations += 1
            return descriptor
        }
        defer {
            let abandoned = state.withLock { state -> SocketDescriptor? in
                state.operations -= 1
                guard state.isClosing, state.operations == 0 else { return nil }
                defer { state.descriptor = nil }
                return state.descriptor
            }
            abandoned?.dispose()
        }
        do {
            let result = try body(descriptor)
            guard !isClosed else { throw SocketError.closed }
            return result
        } catch {
            throw isClosed ? SocketError.closed : error
        }
    }
}

// MARK: Reading

extension SocketConnection {
    /// Reads at least one byte and at most `limit`; none at the end of the stream.
    package func read(
        atMost limit: Int = 64 * 1024,
        before deadline: ContinuousClock.Instant = defaultDeadline
    ) throws -> [UInt8] {
        let kept = surplus.withLock { surplus -> [UInt8] in
            defer { surplus.removeFirst(min(limit, surplus.count)) }
            return Array(surplus.prefix(limit))
        }
        if !kept.isEmpty { return kept }
        return try withDescriptor { descriptor in
            try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                while true {
                    switch try descriptor.receive(into: UnsafeMutableRawBufferPointer(buffer)) {
                    case .moved(let received): return count = received
                    case .wouldBlock: try descriptor.wait(until: .readable, before: deadline)
                    }
                }
            }
        }
    }

    /// Gives bytes back. The next read returns them first.
    package func unread(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        surplus.withLock { $0 = bytes + $0 }
    }

    /// Reads up to the end of the marker, at most `limit` bytes. The next read returns the bytes after it.
    package func read(
        until marker: [UInt8],
        atMost limit: Int = 64 * 1024,
        before deadline: ContinuousClock.Instant = defaultDeadline
    ) throws -> [UInt8] {
        var collected: [UInt8] = []
        while true {
            let searched = max(0, collected.count - marker.count + 1)
            let bytes = try read(before: deadline)
            guard !bytes.isEmpty else { throw SocketError.endedEarly(received: collected.count) }
            collected += bytes
            if let range = collected[searched...].firstRange(of: marker), range.upperBound <= limit {
                unread(collected[range.upperBound...])
                return Array(collected[..<range.upperBound])
            }
            guard collected.count < limit else { throw SocketError.limitExceeded(limit: limit) }
        }
    }

    /// Reads exactly `count` bytes. Throws ``SocketError/endedEarly(received:)`` if the stream ends before.
    package func read(
        exactly count: Int,
        before deadline: ContinuousClock.Instant = defaultDeadline
    ) throws -> [UInt8] {
        var collected: [UInt8] = []
        while collected.count < count {
            let bytes = try read(atMost: min(count - collected.count, 64 * 1024), before: deadline)
            guard !bytes.isEmpty else { throw SocketError.endedEarly(received: collected.count) }
            collected += bytes
        }
        return collected
    }

    package func readToEnd(before deadline: ContinuousClock.Instant = defaultDeadline) throws -> [UInt8] {
        var collected: [UInt8] = []
        while true {
            let bytes = try read(before: deadline)
            guard !bytes.isEmpty else { return collected }
            collected += bytes
        }
    }
}

// MARK: Writing

extension SocketConnection {
    /// Writes all bytes to the system's buffer.
    package func write(
        _ bytes: some ContiguousBytes,
        before deadline: ContinuousClock.Instant = defaultDeadline
    ) throws {
        try withDescriptor { descriptor in
            try bytes.withUnsafeBytes { buffer in
                var rest = buffer[...]
                while !rest.isEmpty {
                    switch try descriptor.send(UnsafeRawBufferPointer(rebasing: rest)) {
                    case .moved(let count): rest = rest.dropFirst(count)
                    case .wouldBlock: try descriptor.wait(until: .writable, before: deadline)
                    }
                }
            }
        }
    }

    package func write(_ text: String, before deadline: ContinuousClock.Instant = defaultDeadline) throws {
        try write(Array(text.utf8), before: deadline)
    }
}
