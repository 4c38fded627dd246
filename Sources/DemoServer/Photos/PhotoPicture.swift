import Foundation

/// The picture of a photo: bands of four shades of its colour, as PNG (W3C, PNG 3rd edition), three wide and two high.
struct PhotoPicture {
    let color: Int
    let width: Int

    private var height: Int { width * 2 / 3 }

    var png: Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // Two bits for a pixel, which name an entry of the palette; no interlacing.
        data += Self.chunk("IHDR", Self.bytes(width) + Self.bytes(height) + [2, 3, 0, 0, 0])
        data += Self.chunk("PLTE", palette)
        data += Self.chunk("IDAT", Self.zlib(rows))
        data += Self.chunk("IEND", [])
        return data
    }

    private var palette: [UInt8] {
        var entries: [UInt8] = []
        for shade in 0..<4 {
            for shift in [16, 8, 0] {
                let part = color >> shift & 255
                entries.append(UInt8((part * (4 - shade) + 60 * shade) / 4))
            }
        }
        return entries
    }

    /// Each row begins with the number of its filter, of which 0 is none.
    private var rows: [UInt8] {
        let count = (width + 3) / 4
        let bands: [[UInt8]] = (0..<4).map { shade in
            [0] + Array(repeating: UInt8(shade * 0b0101_0101), count: count)
        }
        var rows: [UInt8] = []
        for row in 0..<height { rows += bands[row * 4 / height] }
        return rows
    }

    /// The bytes in blocks that are stored as they are (RFC 1950; RFC 1951, section 3.2.4).
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high]
            stream += block
        } while !rest.isEmpty
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + Self.bytes(b << 16 | a)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bytes(content.count) + body + bytes(Int(CRC32.checksum(of: body)))
    }

    /// Four bytes, the highest first.
    private static func bytes(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
}
