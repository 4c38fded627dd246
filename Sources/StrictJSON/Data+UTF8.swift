internal import Foundation

extension Data {
    /// The text of a document in UTF-8, without a byte order mark.
    ///
    /// - Throws: ``SyntaxError`` if the bytes are not text in their encoding.
    func asUTF8() throws(SyntaxError) -> Data {
        let (encoding, mark) = encoding
        if encoding == .utf8 { return mark == 0 ? self : dropFirst(mark) }
        guard let string = String(bytes: dropFirst(mark), encoding: encoding) else {
            throw SyntaxError(problem: .badEncoding, offset: 0)
        }
        return Data(string.utf8)
    }

    /// The encoding, by the first four bytes (RFC 4627, section 3) or by a byte order mark, and how many bytes that mark has.
    private var encoding: (String.Encoding, mark: Int) {
        let first = withUnsafeBytes { bytes in
            func byte(_ place: Int) -> Int { place < bytes.count ? Int(bytes[place]) : -1 }
            return (byte(0), byte(1), byte(2), byte(3))
        }
        switch first {
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
