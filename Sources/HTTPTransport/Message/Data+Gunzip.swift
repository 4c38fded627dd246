package import Foundation

extension Data {
    /// The most bytes that are decompressed.
    private static let longestGunzipped = 256 << 20

    /// The bytes that gzip (RFC 1952) has compressed to these; `nil` if they are not whole, are something else or too
    /// many, or without zlib.
    package var gunzipped: Data? { inflated(.gzip) }

    /// The bytes that `deflate` has compressed to these (RFC 9110, section 8.4.1.2), also without the format of zlib, as
    /// some senders do; `nil` as for ``gunzipped``.
    var inflated: Data? { inflated(.zlib) ?? inflated(.bare) }

    private func inflated(_ format: Zlib.Format) -> Data? {
        guard let zlib = Zlib.shared else { return nil }
        let stream = UnsafeMutablePointer<ZlibStream>.allocate(capacity: 1)
        stream.initialize(to: ZlibStream())
        defer {
            zlib.endGunzip(stream)
            stream.deallocate()
        }
        guard zlib.startGunzip(stream, format) else { return nil }
        var (result, buffer, rest) = (Data(), [UInt8](repeating: 0, count: 64 << 10), self)
        while result.count <= Self.longestGunzipped {
            let portion = rest.prefix(1 << 20)
            let progress = portion.withUnsafeBytes { input in
                buffer.withUnsafeMutableBytes { output in
                    stream.pointee.use(input, output)
                    return zlib.runGunzip(stream)
                }
            }
            let made = buffer.count - Int(stream.pointee.outputCount)
            result.append(contentsOf: buffer[..<made])
            rest = rest.dropFirst(portion.count - Int(stream.pointee.inputCount))
            switch progress {
            case .done: return rest.isEmpty ? result : nil
            case .failed: return nil
            case .more: if made == 0, rest.isEmpty { return nil }
            }
        }
        return nil
    }
}
