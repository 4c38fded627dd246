import Foundation

extension Descriptor {
    /// All bytes of the file; nil if it is none, or longer than that.
    func contents(atMost limit: Int) throws -> Data? {
        let status = try status()
        guard status.isFile, status.size <= limit else { return nil }
        var contents = Data(count: status.size)
        var count = 0
        while count < contents.count {
            let read = try contents.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                return try Self.check { Foundation.read(number, rest.baseAddress, rest.count) }
            }
            guard read > 0 else { return contents.prefix(count) }
            count += read
        }
        return contents
    }

    /// Writes all bytes.
    func write(_ contents: Data) throws {
        var count = 0
        while count < contents.count {
            count += try contents.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
                return try Self.check { Foundation.write(number, rest.baseAddress, rest.count) }
            }
        }
    }

    /// Says that it was used now. Where that can't be said, nothing happens.
    func touch() { futimens(number, nil) }
}
