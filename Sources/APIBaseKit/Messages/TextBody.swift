import Basics

/// The text of a body (RFC 9110, section 8.3.2), in the charset that its `Content-Type` names.
enum TextBody {
    /// The body is no text in its charset.
    struct Undecodable: Error {
        /// The text that was expected, such as `text in utf-8`.
        let expected: String
        /// What was found, such as `other bytes`.
        let found: String
    }

    /// The text of a body with this `Content-Type`. A byte order mark is not part of it. Without a charset, the text is
    /// in the UTF that a byte order mark names, or in UTF-8.
    static func text(of data: Data, type: String) throws(Undecodable) -> String {
        let charset = charset(of: type)
        let name = charset?.lowercased() ?? "utf-8"
        guard let encoding = encoding(named: name, of: data, isGiven: charset != nil) else {
            throw Undecodable(expected: "text in a known charset", found: "the charset “\(name.prefix(40))”")
        }
        // On Linux, Foundation drops half a unit of UTF-16 at the end.
        let isCut = [.utf16BigEndian, .utf16LittleEndian].contains(encoding) && !data.count.isMultiple(of: 2)
        guard !isCut, let text = String(data: data, encoding: encoding) else {
            throw Undecodable(expected: "text in \(name)", found: "other bytes")
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// The first parameter `charset`, without quotes; `nil` if there is none, or it is empty.
    private static func charset(of type: String) -> String? {
        for parameter in type.parts(at: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"' \t"))
            }
            guard parts.count == 2, parts[0].equalsIgnoringCase("charset") else { continue }
            return parts[1].isEmpty ? nil : parts[1]
        }
        return nil
    }

    private static func encoding(named name: String, of data: Data, isGiven: Bool) -> String.Encoding? {
        let mark = Array(data.prefix(2))
        let marked: String.Encoding? =
            switch mark {
            case [0xFE, 0xFF]: .utf16BigEndian
            case [0xFF, 0xFE]: .utf16LittleEndian
            default: nil
            }
        if !isGiven { return marked ?? .utf8 }
        // Without a mark, the text is big-endian (RFC 2781, section 4.3).
        return name == "utf-16" ? marked ?? .utf16BigEndian : encodings[name]
    }

    /// The charsets by their names (IANA's registry of character sets), in lower case.
    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii,
        "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2, "latin2": .isoLatin2,
        "iso-8859-5": .coreFoundation(0x0205), "iso-8859-7": .coreFoundation(0x0207),
        "iso-8859-9": .coreFoundation(0x0209), "iso-8859-15": .coreFoundation(0x020F),
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
        "cp1252": .windowsCP1252, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "koi8-r": .coreFoundation(0x0A02), "shift_jis": .shiftJIS, "iso-2022-jp": .iso2022JP,
        "euc-kr": .coreFoundation(0x0940), "big5": .coreFoundation(0x0A03),
        // A superset of the other two.
        "gb18030": .coreFoundation(0x0632), "gbk": .coreFoundation(0x0632), "gb2312": .coreFoundation(0x0632),
    ]
}

extension String.Encoding {
    /// The encoding with a number of Core Foundation (`CFStringEncodings`), for those without a name in Foundation.
    fileprivate static func coreFoundation(_ number: UInt) -> String.Encoding {
        String.Encoding(rawValue: 0x8000_0000 | number)
    }
}
