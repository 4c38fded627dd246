#if os(Linux) || os(Android)
import CCurl
import Foundation

/// Decodes one content coding, piece by piece.
final class ContentDecoder {
    /// The most bytes that are decoded at a time, which bounds a decompression bomb.
    static let room = 64 << 10

    /// The codings that can be decoded here.
    fileprivate static let codings: [(names: [String], coding: Int32)] = [
        (["gzip", "x-gzip"], Int32(CCURL_GZIP)), (["deflate"], Int32(CCURL_DEFLATE)), (["br"], Int32(CCURL_BROTLI)),
        (["zstd"], Int32(CCURL_ZSTD)),
    ]
    .filter { ccurl_codings() & $0.1 != 0 }

    /// The value of `Accept-Encoding`; nil if no coding can be decoded here.
    static let accepted: String? = codings.isEmpty ? nil : codings.map { $0.names[0] }.joined(separator: ", ")

    private let decoder: OpaquePointer

    /// A decoder for this coding; nil if it is unknown.
    init?(_ name: String) {
        guard let coding = Self.codings.first(where: { $0.names.contains(name) })?.coding,
            let decoder = ccurl_decoder_new(coding)
        else { return nil }
        self.decoder = decoder
    }

    deinit { ccurl_decoder_free(decoder) }

    /// Whether the input may end here.
    var isWhole: Bool { ccurl_decoder_is_whole(decoder) }

    /// Decodes as much as there is room for.
    ///
    /// - Returns: The decoded bytes, how much of the input was used, and whether the input is broken after them.
    func decode(_ input: UnsafeBufferPointer<UInt8>) -> (made: Data, used: Int, isBroken: Bool) {
        var used = input.count
        var made = Self.room
        guard let output = malloc(made) else { return (Data(), 0, true) }
        let isBroken = !ccurl_decoder_run(decoder, input.baseAddress, &used, output, &made)
        // A few bytes are copied, so that they do not keep the whole room alive.
        guard made >= Self.room / 4 else {
            defer { free(output) }
            return (Data(bytes: output, count: made), used, isBroken)
        }
        return (Data(bytesNoCopy: output, count: made, deallocator: .free), used, isBroken)
    }
}

extension ContentCodings {
    static let decodable = Set(ContentDecoder.codings.flatMap(\.names))
}
#endif
