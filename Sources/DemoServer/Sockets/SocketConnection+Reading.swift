import Basics

extension SocketConnection {
    /// At least one byte and at most `limit`, or none at all when the peer has ended its stream.
    package func read(
        atMost limit: Int = 64 * 1024,
        before deadline: ContinuousClock.Instant = .now + .seconds(60)
    ) throws -> [UInt8] {
        let kept = surplus.withLock { surplus -> [UInt8] in
            guard surplus.count > limit else {
                defer { surplus = [] }
                return surplus
            }
            let head = Array(surplus[..<limit])
            surplus.removeFirst(limit)
            return head
        }
        if !kept.isEmpty { return kept }
        return try withDescriptor { descriptor in
            try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                while true {
                    switch try descriptor.receive(into: UnsafeMutableRawBufferPointer(buffer)) {
                    case .moved(let received):
                        count = received
                        return
                    case .wouldBlock:
                        try descriptor.wait(until: .readable, before: deadline)
                    }
                }
            }
        }
    }

    /// Gives bytes back: the next read hands them out first.
    package func unread(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        surplus.withLock { $0 = bytes + $0 }
    }

    /// Everything up to and including the marker; what comes after it stays for the next read.
    ///
    /// - Throws: ``SocketError/limitExceeded(limit:)`` where `limit` bytes came without it,
    ///   ``SocketError/endedEarly(received:)`` where the stream ended first.
    package func read(
        until marker: [UInt8],
        atMost limit: Int = 64 * 1024,
        before deadline: ContinuousClock.Instant = .now + .seconds(60)
    ) throws -> [UInt8] {
        var collected: [UInt8] = []
        while true {
            let searched = max(0, collected.count - marker.count + 1)
            let bytes = try read(before: deadline)
            guard !bytes.isEmpty else { throw SocketError.endedEarly(received: collected.count) }
            collected += bytes
            if let end = collected.firstEnd(of: marker, from: searched), end <= limit {
                unread(collected[end...])
                collected.removeSubrange(end...)
                return collected
            }
            guard collected.count < limit else { throw SocketError.limitExceeded(limit: limit) }
        }
    }

    /// Exactly so many bytes.
    ///
    /// - Throws: ``SocketError/endedEarly(received:)`` where the stream ended first.
    package func read(
        exactly count: Int,
        before deadline: ContinuousClock.Instant = .now + .seconds(60)
    ) throws -> [UInt8] {
        var collected: [UInt8] = []
        while collected.count < count {
            let bytes = try read(atMost: min(count - collected.count, 64 * 1024), before: deadline)
            guard !bytes.isEmpty else { throw SocketError.endedEarly(received: collected.count) }
            collected += bytes
        }
        return collected
    }

    /// Everything until the peer ends its stream.
    package func readToEnd(before deadline: ContinuousClock.Instant = .now + .seconds(60)) throws -> [UInt8] {
        var collected: [UInt8] = []
        while true {
            let bytes = try read(before: deadline)
            guard !bytes.isEmpty else { return collected }
            collected += bytes
        }
    }
}

extension [UInt8] {
    /// The index after the first occurrence of the marker that starts at `start` or later.
    fileprivate func firstEnd(of marker: [UInt8], from start: Int) -> Int? {
        guard count >= start + marker.count else { return nil }
        return (start...(count - marker.count)).first { self[$0..<($0 + marker.count)].elementsEqual(marker) }
            .map { $0 + marker.count }
    }
}
