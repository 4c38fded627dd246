#if canImport(CryptoKit)
import CryptoKit

/// The engine that computes digests: CryptoKit.
struct SHA256Engine {
    private var hash = CryptoKit.SHA256()

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
    }

    /// The digest of all bytes.
    consuming func finalize() -> [UInt8] { Array(hash.finalize()) }
}
#else
/// The engine that computes digests: our own code.
typealias SHA256Engine = PortableSHA256
#endif
