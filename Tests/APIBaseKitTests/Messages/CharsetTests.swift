import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// Texts in the charsets of the WHATWG's Encoding standard (section 4.2) and of IANA's registry, by all their labels.
@Suite(.limited) struct CharsetTests {
    private final class Page: JSONAPI, Request {
        typealias ModelType = String
        override class var baseURL: URL? { URL(string: "https://pages.example") }
        override init() { super.init(.get("/page")) }
    }

    private func text(_ bytes: [UInt8], charset: String) async throws -> String {
        let stubs = Stubs()
        stubs.on().answer(.status(200, headers: ["Content-Type": "text/plain; charset=\(charset)"], data: Data(bytes)))
        return try await stubs.run { try await Page().value() }
    }

    private static let kanji: [UInt8] = [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42]

    /// Labels, bytes, and their text.
    private static let samples: [(String, [UInt8], String)] = [
        ("unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 csUTF8", Array("é€".utf8), "é€"),
        ("us-ascii ascii ansi_x3.4-1968 iso-ir-6 us csASCII", [0x61], "a"),
        ("866 cp866 csibm866 ibm866", [0x8F, 0xE0, 0xA8], "При"),
        (
            "iso-8859-1 iso8859-1 iso88591 iso_8859-1 ISO_8859-1:1987 iso-ir-100 latin1 l1 cp819 ibm819 csISOLatin1",
            [0xE9], "é"
        ),
        (
            "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2", [0xB1, 0xBF],
            "ąż"
        ),
        ("csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3", [0xA1], "Ħ"),
        (
            "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4", [0xA1, 0xB3],
            "Ąŗ"
        ),
        (
            "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
            [0xBF, 0xE0], "Пр"
        ),
        (
            "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
            [0xC7], "ا"
        ),
        (
            "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek",
            [0xC1, 0xE2], "Αβ"
        ),
        (
            "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical",
            [0xE0], "א"
        ),
        ("csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5", [0xD0], "Ğ"),
        ("csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6", [0xA1], "Ą"),
        ("iso-8859-13 iso8859-13 iso885913", [0xC0], "Ą"), ("iso-8859-14 iso8859-14 iso885914", [0xA1], "Ḃ"),
        ("csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9", [0xA4], "€"), ("iso-8859-16", [0xAA], "Ș"),
        ("cskoi8r koi koi8 koi8-r koi8_r", [0xF0, 0xD2], "Пр"), ("koi8-ru koi8-u", [0xA4], "є"),
        ("csmacintosh mac macintosh x-mac-roman", [0x8E], "é"),
        ("x-mac-cyrillic x-mac-ukrainian", [0x8F, 0xF0], "Пр"),
        ("dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874", [0xA1], "ก"),
        ("cp1250 windows-1250 x-cp1250", [0xB9], "ą"), ("cp1251 windows-1251 x-cp1251", [0xCF, 0xF0], "Пр"),
        ("cp1252 windows-1252 x-cp1252", [0x80, 0xE9], "€é"), ("cp1253 windows-1253 x-cp1253", [0xC1], "Α"),
        ("cp1254 windows-1254 x-cp1254", [0xD0], "Ğ"), ("cp1255 windows-1255 x-cp1255", [0xE0], "א"),
        ("cp1256 windows-1256 x-cp1256", [0xC7], "ا"), ("cp1257 windows-1257 x-cp1257", [0xC0], "Ą"),
        ("cp1258 windows-1258 x-cp1258", [0xD0], "Đ"),
        (
            "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030 cp936 windows-936",
            [0xC4, 0xE3], "你"
        ),
        ("big5 cn-big5 csbig5 x-x-big5 big5-hkscs", [0xA7, 0x41], "你"),
        (
            "cseucpkdfmtjapanese euc-jp x-euc-jp", [0x61, 0xC6, 0xFC, 0xCB, 0xDC, 0x8E, 0xB1, 0x8F, 0xA2, 0xAF, 0x0A],
            "a日本ｱ˘\n"
        ),
        ("csiso2022jp iso-2022-jp", kanji, "日本"),
        ("csshiftjis ms_kanji shift-jis shift_jis sjis x-sjis", [0x93, 0xFA, 0x96, 0x7B, 0xB1], "日本ｱ"),
        ("ms932 windows-31j cp932 csWindows31J", [0x93, 0xFA, 0x87, 0x40], "日①"),
        (
            "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cp949",
            [0xB0, 0xA1, 0x81, 0x41], "가갂"
        ),
        ("utf-16be unicodefffe", [0x20, 0xAC], "€"),
        ("csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16le utf-16 csUTF16", [0xAC, 0x20], "€"),
        ("utf-16 ucs-2 unicode", [0xFE, 0xFF, 0x20, 0xAC], "€"), ("utf-16 ucs-2", [0xFF, 0xFE, 0xAC, 0x20], "€"),
        ("utf-32be utf-32", [0, 0, 0x20, 0xAC], "€"), ("utf-32le", [0xAC, 0x20, 0, 0], "€"),
    ]

    @Test(arguments: samples)
    func `A text is read in the charset that its Content-Type names, by any registered label`(
        labels: String,
        bytes: [UInt8],
        text expected: String
    ) async throws {
        for label in labels.split(separator: " ") {
            for written in ["\(label)", "\"\(label.uppercased())\"", " \(label) "] {
                #expect(try await text(bytes, charset: written) == expected, "\(written)")
            }
        }
    }

    /// Those in which markup can hide, and others that no browser reads.
    @Test(arguments: [
        "utf-7", "hz-gb-2312", "iso-2022-kr", "iso-2022-cn", "x-user-defined", "klingon", "//TRANSLIT", ".",
    ])
    func `A text in a charset that is not known fails with its name`(charset: String) async throws {
        let error = await #expect(throws: RequestError.self) { try await text([0x61], charset: charset) }
        #expect(error?.localizedDescription.contains("found the charset “\(charset)”") == true)
    }

    @Test(
        arguments: [
            ("euc-jp", [0xC6]), ("euc-jp", [0x8F, 0xA2]), ("euc-jp", [0xC6, 0x41]), ("euc-jp", [0x1B, 0x24, 0x42]),
            ("euc-jp", [0x80]), ("utf-16", [0x61]), ("utf-32", [0, 0, 0x61]), ("utf-32", [0, 0, 0xD8, 0]),
            ("shift_jis", [0x93]), ("windows-1255", [0xD9]),
        ] as [(String, [UInt8])]
    )
    func `Bytes that are no text in their charset fail as undecodable`(charset: String, bytes: [UInt8]) async throws {
        let error = await #expect(throws: RequestError.self) { try await text(bytes, charset: charset) }
        #expect(error?.localizedDescription.contains("expected text in \(charset), found other bytes") == true)
    }

    @Test func `The charset of a Content-Type that came twice is that of the first`() async throws {
        #expect(try await text([0xE9], charset: "latin1, text/plain; charset=latin1") == "é")
    }
}
