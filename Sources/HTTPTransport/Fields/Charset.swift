import Foundation

/// A charset by one of its names: those of IANA's registry of character sets, and those of the WHATWG's Encoding standard
/// (section 4.2), without regard to case.
///
/// UTF-7, HZ, ISO-2022-KR and ISO-2022-CN are left out: browsers refuse them, since they can hide markup. ISO-2022-JP
/// has the same weakness, and is taken since mail systems still send it. `x-user-defined` is no text.
enum Charset: Equatable {
    /// UTF-16 with a byte order mark; without one, in this order of bytes.
    case utf16(String.Encoding)
    /// EUC-JP, which Foundation cannot read on every system.
    case eucJP
    case other(String.Encoding)

    /// - Returns: `nil` for an unknown name.
    init?(named name: String) {
        guard let charset = Self.table[name.lowercased()] else { return nil }
        self = charset
    }

    /// The text of these bytes; `nil` if they are not text in this charset.
    func text(of data: Data) -> String? {
        switch self {
        case .utf16(let usual):
            switch Array(data.prefix(2)) {
            case [0xFE, 0xFF]: Self.text(of: data, .utf16BigEndian)
            case [0xFF, 0xFE]: Self.text(of: data, .utf16LittleEndian)
            default: Self.text(of: data, usual)
            }
        case .eucJP: EUCJP.asISO2022JP(data).flatMap { Self.text(of: $0, EUCJP.iso2022JP) }
        case .other(let encoding): Self.text(of: data, encoding)
        }
    }

    private static func text(of data: Data, _ encoding: String.Encoding) -> String? {
        let unit =
            switch encoding {
            case .utf16BigEndian, .utf16LittleEndian: 2
            case .utf32BigEndian, .utf32LittleEndian: 4
            default: 1
            }
        // On Linux, Foundation drops a part of a unit at the end.
        return data.count.isMultiple(of: unit) ? String(data: data, encoding: encoding) : nil
    }

    private static let table: [String: Charset] = {
        var table: [String: Charset] = [:]
        for (charset, names) in lines { for name in names.split(separator: " ") { table[String(name)] = charset } }
        return table
    }()

    private static let lines: [(Charset, String)] = [
        (.other(.utf8), "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 csutf8"),
        (
            .other(.ascii),
            "us-ascii ascii iso646-us iso_646.irv:1991 ansi_x3.4-1968 ansi_x3.4-1986 iso-ir-6 us ibm367 cp367 csascii"
        ),
        // Little-endian without a mark, as browsers read it.
        (.utf16(.utf16LittleEndian), "utf-16 csutf16 unicode csunicode iso-10646-ucs-2 ucs-2 unicodefeff"),
        (.other(.utf16BigEndian), "utf-16be unicodefffe csutf16be"), (.other(.utf16LittleEndian), "utf-16le csutf16le"),
        (.other(.utf32BigEndian), "utf-32 utf-32be csutf32be"), (.other(.utf32LittleEndian), "utf-32le csutf32le"),
        (
            .other(.isoLatin1),
            "iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1"
        ),
        (
            .other(.isoLatin2),
            "iso-8859-2 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 iso-ir-101 latin2 l2 csisolatin2"
        ),
        (core(0x0203), "iso-8859-3 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 iso-ir-109 latin3 l3 csisolatin3"),
        (core(0x0204), "iso-8859-4 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 iso-ir-110 latin4 l4 csisolatin4"),
        (
            core(0x0205),
            "iso-8859-5 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988 iso-ir-144 cyrillic csisolatincyrillic"
        ),
        (
            core(0x0206),
            "iso-8859-6 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 iso-ir-127 arabic asmo-708 ecma-114 iso-8859-6-e iso-8859-6-i csiso88596e csiso88596i csisolatinarabic"
        ),
        (
            core(0x0207),
            "iso-8859-7 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 iso-ir-126 greek greek8 ecma-118 elot_928 sun_eu_greek csisolatingreek"
        ),
        (
            core(0x0208),
            "iso-8859-8 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 iso-ir-138 hebrew visual logical iso-8859-8-e iso-8859-8-i csiso88598e csiso88598i csisolatinhebrew"
        ),
        (core(0x0209), "iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 iso-ir-148 latin5 l5 csisolatin5"),
        (core(0x020A), "iso-8859-10 iso8859-10 iso885910 iso_8859-10 iso-ir-157 latin6 l6 csisolatin6"),
        (core(0x020D), "iso-8859-13 iso8859-13 iso885913 csiso885913"),
        (core(0x020E), "iso-8859-14 iso8859-14 iso885914 iso_8859-14 iso-ir-199 iso-celtic latin8 l8 csiso885914"),
        (core(0x020F), "iso-8859-15 iso8859-15 iso885915 iso_8859-15 latin-9 l9 csiso885915 csisolatin9"),
        (core(0x0210), "iso-8859-16 iso_8859-16 iso-ir-226 latin10 l10 csiso885916"),
        (.other(.windowsCP1250), "windows-1250 cp1250 x-cp1250 cswindows1250"),
        (.other(.windowsCP1251), "windows-1251 cp1251 x-cp1251 cswindows1251"),
        (.other(.windowsCP1252), "windows-1252 cp1252 x-cp1252 cswindows1252"),
        (.other(.windowsCP1253), "windows-1253 cp1253 x-cp1253 cswindows1253"),
        (.other(.windowsCP1254), "windows-1254 cp1254 x-cp1254 cswindows1254"),
        (core(0x0505), "windows-1255 cp1255 x-cp1255 cswindows1255"),
        (core(0x0506), "windows-1256 cp1256 x-cp1256 cswindows1256"),
        (core(0x0507), "windows-1257 cp1257 x-cp1257 cswindows1257"),
        (core(0x0508), "windows-1258 cp1258 x-cp1258 cswindows1258"),
        (core(0x041D), "windows-874 dos-874 cp874 tis-620 iso-8859-11 iso8859-11 iso885911 cstis620 cswindows874"),
        (core(0x041B), "ibm866 cp866 866 csibm866"),
        (core(0x0A02), "koi8-r koi8 koi koi8_r cskoi8r"), (core(0x0A08), "koi8-u koi8-ru cskoi8u"),
        (core(0), "macintosh mac x-mac-roman csmacintosh"), (core(7), "x-mac-cyrillic x-mac-ukrainian"),
        // A superset of the other two.
        (
            core(0x0632),
            "gb18030 csgb18030 gbk x-gbk cp936 ms936 windows-936 csgbk gb2312 gb_2312 gb_2312-80 chinese iso-ir-58 csgb2312 csiso58gb231280"
        ),
        (core(0x0A03), "big5 big-5 cn-big5 x-x-big5 csbig5"), (core(0x0A06), "big5-hkscs csbig5hkscs"),
        (.eucJP, "euc-jp x-euc-jp extended_unix_code_packed_format_for_japanese cseucpkdfmtjapanese"),
        (.other(.iso2022JP), "iso-2022-jp csiso2022jp"),
        (.other(.shiftJIS), "shift_jis shift-jis sjis x-sjis ms_kanji csshiftjis"),
        // With Microsoft's characters beside the standard ones.
        (core(0x0420), "windows-31j cswindows31j cp932 ms932 windows-932"),
        // Likewise.
        (
            core(0x0422),
            "euc-kr cseuckr windows-949 cp949 ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean iso-ir-149 csksc56011987"
        ),
    ]

    /// The encoding with a number of Core Foundation (`CFStringEncodings`), for those without a name in Foundation.
    private static func core(_ number: UInt) -> Charset { .other(String.Encoding(rawValue: 0x8000_0000 | number)) }
}

/// EUC-JP, in the bytes of ISO-2022-JP-1 (RFC 2237).
private enum EUCJP {
    static let iso2022JP = String.Encoding(rawValue: 0x8000_0822)

    /// Writes each character with the sequences that choose its set of characters, and return to ASCII; `nil` if the
    /// bytes are not EUC-JP.
    static func asISO2022JP(_ data: Data) -> Data? {
        var (converted, index) = (Data(), data.startIndex)
        while index < data.endIndex {
            let first = data[index]
            guard first >= 0x80 else {
                guard first != 0x1B else { return nil }
                converted.append(first)
                index += 1
                continue
            }
            let (start, skipped, count) =
                switch first {
                case 0x8E: ("\u{1B}(I", 1, 1)
                case 0x8F: ("\u{1B}$(D", 1, 2)
                default: ("\u{1B}$B", 0, 2)
                }
            let bytes = data[(index + skipped)...].prefix(count)
            guard bytes.count == count, bytes.allSatisfy({ (0xA1...0xFE).contains($0) }) else { return nil }
            converted += Data(start.utf8) + bytes.map { $0 & 0x7F } + Data("\u{1B}(B".utf8)
            index = bytes.endIndex
        }
        return converted
    }
}
