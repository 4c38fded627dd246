/// The SHA-256 digest (FIPS 180-4, section 6.2) of bytes that come in pieces: the system's where CryptoKit can be
/// imported, and otherwise ours.
package struct SHA256 {
    /// The length of a digest, in bytes.
    package static let count = 32

    /// The length of a block, in bytes.
    package static let blockCount = 64

    private var engine = SHA256Engine()

    /// The digest of nothing, so far.
    package init() {}

    /// Adds bytes; without a copy if they are contiguous, as those of `Data` and arrays are.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        guard bytes.withContiguousStorageIfAvailable({ engine.update($0) }) == nil else { return }
        Array(bytes).withUnsafeBufferPointer { engine.update($0) }
    }

    /// The digest of all bytes.
    package consuming func finalize() -> [UInt8] { engine.finalize() }

    /// The digest of some bytes.
    package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of some bytes as 64 hexadecimal digits in lower case.
    package static func hex(of bytes: some Sequence<UInt8>) -> String { digest(of: bytes).hexadecimal }

    /// The digest of a text's UTF-8 as 64 hexadecimal digits in lower case.
    package static func hex(of text: String) -> String { hex(of: text.utf8) }
}

extension Sequence<UInt8> {
    /// Two hexadecimal digits in lower case for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
    }
}
