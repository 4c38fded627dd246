package import Foundation

/// File content that shows its version and offset.
package enum FileSample {
    /// Not the length of any buffer, so that a misplaced piece is noticed.
    private static let block: [UInt8] = {
        var number: UInt64 = 1
        return (0..<65_521).map { _ in
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(number >> 56)
        }
    }()

    /// A part of a version.
    package static func bytes(_ range: Range<Int>, version: Int = 1) -> Data {
        var bytes = Data(capacity: range.count)
        var place = (range.lowerBound + version * 1_009) % block.count
        while bytes.count < range.count {
            let count = min(block.count - place, range.count - bytes.count)
            bytes.append(contentsOf: block[place..<(place + count)])
            place = 0
        }
        return bytes
    }

    /// Whether the file has the content of this version.
    package static func isFile(_ file: URL, _ count: Int, version: Int = 1) throws -> Bool {
        let reader = try FileHandle(forReadingFrom: file)
        defer { try? reader.close() }
        var place = 0
        while let data = try reader.read(upToCount: 1 << 20), !data.isEmpty {
            guard place + data.count <= count, data == bytes(place..<(place + data.count), version: version) else {
                return false
            }
            place += data.count
        }
        return place == count
    }
}
