import Basics

/// A text in UTF-16 or UTF-32, which JSON may be in as well.
struct WideText {
    /// The bytes that tell the encoding, at the beginning of a text without a byte order mark.
    private static let sample = 4096

    /// The text without its byte order mark.
    let utf8: [UInt8]
    private let mark: ArraySlice<UInt8>
    private let encoding: Encoding
    /// The bytes of a unit that was cut off.
    private let rest: ArraySlice<UInt8>

    struct Encoding {
        let width: Int
        let isBigEndian: Bool
        let mark: [UInt8]
        /// The name, as charsets have it.
        let name: String
    }

    /// Each before those that its beginning could be mistaken for.
    private static let encodings = [
        Encoding(width: 4, isBigEndian: true, mark: [0, 0, 0xFE, 0xFF], name: "utf-32be"),
        Encoding(width: 4, isBigEndian: false, mark: [0xFF, 0xFE, 0, 0], name: "utf-32le"),
        Encoding(width: 2, isBigEndian: true, mark: [0xFE, 0xFF], name: "utf-16be"),
        Encoding(width: 2, isBigEndian: false, mark: [0xFF, 0xFE], name: "utf-16le"),
    ]

    /// Nil if neither a byte order mark, nor zero bytes beside ASCII, nor the media type tell such an encoding. Invalid
    /// units are read as U+FFFD.
    init?(_ bytes: [UInt8], type: String = "") {
        let beginning = bytes.prefix(Self.sample)
        let found =
            Self.encodings.first { beginning.starts(with: $0.mark) }
            ?? (beginning.prefix(4).contains(0) ? Self.encodings.first { $0.isLikely(in: beginning) } : nil)
            ?? Self.encodings.first { type.lowercased().contains($0.name) }
            ?? Self.encodings.first { type.lowercased().contains($0.name.dropLast(2)) }
        guard let found else { return nil }
        encoding = found
        mark = bytes.prefix(bytes.starts(with: found.mark) ? found.mark.count : 0)
        let text = bytes[mark.endIndex...]
        let end = text.endIndex - text.count % found.width
        rest = bytes[end...]
        let units = found.units(in: text[..<end])
        utf8 =
            found.width == 2
            ? Array(String(decoding: units.map { UInt16($0) }, as: UTF16.self).utf8)
            : Array(String(decoding: units, as: UTF32.self).utf8)
    }

    /// Another text in this encoding, with the same mark.
    func encoded(_ utf8: [UInt8]) -> [UInt8] {
        let text = String(decoding: utf8, as: UTF8.self)
        let units = encoding.width == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map(\.value)
        var result = Array(mark)
        for unit in units {
            for index in 0..<encoding.width {
                let place = encoding.isBigEndian ? encoding.width - 1 - index : index
                result.append(UInt8(truncatingIfNeeded: unit >> UInt32(8 * place)))
            }
        }
        return result + rest
    }
}

extension WideText.Encoding {
    /// Whether the first unit is an ASCII character, and so are many others.
    func isLikely(in text: ArraySlice<UInt8>) -> Bool {
        let units = units(in: text.dropLast(text.count % width))
        func isASCII(_ unit: UInt32) -> Bool { (1..<0x80).contains(unit) }
        return units.first.map(isASCII) ?? false && 8 * units.count(where: isASCII) >= units.count
    }

    func units(in text: ArraySlice<UInt8>) -> [UInt32] {
        stride(from: text.startIndex, to: text.endIndex, by: width).map { start in
            let bytes = text[start..<(start + width)]
            return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
