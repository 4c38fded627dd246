package import Foundation

extension SocketConnection {
    /// Hands all the bytes to the system.
    package func write(
        _ bytes: some ContiguousBytes,
        before deadline: ContinuousClock.Instant = .now + .seconds(60)
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

    /// Hands the text to the system as UTF-8.
    package func write(_ text: String, before deadline: ContinuousClock.Instant = .now + .seconds(60)) throws {
        try write(Array(text.utf8), before: deadline)
    }
}
