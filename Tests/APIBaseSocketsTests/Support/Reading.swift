@testable import APIBaseSockets
import HTTPTransport

/// What a decoder makes of some bytes: the events, and the violation that ends them.
struct Reading: Equatable {
    var events: [SocketEvent] = []
    var violation: SocketViolation?

    init(events: [SocketEvent]) { self.events = events }

    /// Reads the bytes in chunks.
    init(
        _ chunks: some Sequence<some Collection<UInt8>>,
        limits: (frame: Int, message: Int) = (1 << 24, 1 << 24),
        compression: SocketCompression? = nil
    ) {
        var decoder = FrameDecoder(limits: limits, compression: compression)
        for chunk in chunks {
            decoder.append(chunk)
            do throws(SocketViolation) {
                while let event = try decoder.next() { events.append(event) }
            } catch {
                violation = error
            }
        }
    }
}

extension [UInt8] {
    /// The bytes in chunks of this size.
    func chunks(of size: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }

    /// The bytes of this text of hexadecimal digits and spaces.
    init(hex text: String) {
        let digits = text.filter { $0 != " " }.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
