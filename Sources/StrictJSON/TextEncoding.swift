internal import Foundation

/// The encoding of a document, told by its first four bytes (RFC 4627, section 3) or by a byte order mark.
enum TextEncoding {
    /// Calls `body` with the text in UTF-8 and without its mark.
    ///
    /// - Throws: ``SyntaxError`` if the bytes are not text in their encoding.
    static func withUTF8<Result>(
        of data: Data,
        _ body: (UnsafeRawBufferPointer) throws(SyntaxError) -> Result
    ) throws(SyntaxError) -> Result {
        let outcome: Swift.Result<Result, SyntaxError> = data.withUnsafeBytes { bytes in
            let (encoding, mark) = encoding(of: bytes)
            let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark))
            guard encoding != .utf8 else { return attempt(body, on: rest) }
            guard let text = String(bytes: rest, encoding: encoding) else {
                return .failure(SyntaxError(problem: .badEncoding, offset: 0))
            }
            return Array(text.utf8).withUnsafeBytes { attempt(body, on: $0) }
        }
        return try outcome.get()
    }

    private static func attempt<Result>(
        _ body: (UnsafeRawBufferPointer) throws(SyntaxError) -> Result,
        on text: UnsafeRawBufferPointer
    ) -> Swift.Result<Result, SyntaxError> {
        do throws(SyntaxError) { return .success(try body(text)) } catch { return .failure(error) }
    }

    /// The encoding, and how many bytes of a mark come first.
    private static func encoding(of bytes: UnsafeRawBufferPointer) -> (String.Encoding, Int) {
        let first = bytes.prefix(4).map { Int($0) } + Array(repeating: -1, count: max(0, 4 - bytes.count))
        switch (first[0], first[1], first[2], first[3]) {
        case (0xEF, 0xBB, 0xBF, _): return (.utf8, 3)
        case (0, 0, 0xFE, 0xFF): return (.utf32BigEndian, 4)
        // The mark of UTF-32 the other way round is not told from that of UTF-16, which comes first in it: as in Foundation.
        case (0xFE, 0xFF, 0, 0): return (.utf32LittleEndian, 4)
        case (0xFE, 0xFF, _, _): return (.utf16BigEndian, 2)
        case (0xFF, 0xFE, _, _): return (.utf16LittleEndian, 2)
        case (0, 0, 0, 1...): return (.utf32BigEndian, 0)
        case (1..., 0, 0, 0): return (.utf32LittleEndian, 0)
        case (0, 1..., 0, 1...), (0, 1..., -1, -1): return (.utf16BigEndian, 0)
        case (1..., 0, 1..., 0), (1..., 0, -1, -1): return (.utf16LittleEndian, 0)
        default: return (.utf8, 0)
        }
    }
}
