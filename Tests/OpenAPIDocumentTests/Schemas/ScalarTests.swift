import Testing

@testable import OpenAPIDocument

@Suite struct ScalarTests {
    @Test(arguments: [
        ("0", "-0"), ("1", "1.0"), ("100", "1e2"), ("0.001", "1E-3"),
        ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
    ])
    func `Numbers are equal by value`(left: String, right: String) throws {
        #expect(ExactNumber(left) == ExactNumber(right))
    }

    @Test func `Numbers have an order`() throws {
        let texts = [
            "-1e400", "-2", "-1.5", "-1e-9", "0", "1e-9", "0.9", "1", "10", "10.5", "9007199254740992",
            "9007199254740993", "1e99999999999999999999",
        ]
        let numbers = try texts.map { try #require(ExactNumber($0)) }
        #expect(numbers.shuffled().sorted() == numbers)
    }

    @Test(arguments: ["", "-", "01", "1.", ".5", "+1", "1e", "1e+", "0x1", "1 ", " 1", "NaN", "١"])
    func `A text that is not a number of JSON is refused`(text: String) { #expect(ExactNumber(text) == nil) }

    private static let multiples: [(String, String, Bool)] = [
        ("7", "2", false), ("8", "2", true), ("0.3", "0.1", true), ("4.35", "0.01", true), ("1e1000000", "7", false),
        ("1e1000000", "8", true), ("0", "3", true), ("1", "10", false), ("12345678901234567890123", "3", true),
        ("12345678901234567890123", "12345678901234567890123", true), ("5", "12345678901234567890123", false),
        ("-9", "4.5", true), ("-12345678901234567890123", "12345678901234567890123", true),
    ]

    @Test(arguments: multiples)
    func `Multiples are exact`(number: String, divisor: String, isMultiple: Bool) throws {
        #expect(try #require(ExactNumber(number)).isMultiple(of: #require(ExactNumber(divisor))) == isMultiple)
    }

    private static let formats: [(String, [String], [String])] = [
        (
            "date-time", ["2024-02-29T23:59:60Z", "2024-01-01t00:00:00.123+05:30"],
            [
                "2024-01-01T00:00:00", "2023-02-29T00:00:00Z", "2024-01-01", "2024-01-01T24:00:00Z",
                "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+0530",
            ]
        ),
        ("date", ["2024-12-31", "2000-02-29"], ["2024-13-01", "2024-04-31", "1900-02-29", "2024-1-1", "2024-12-31T"]),
        (
            "uuid", ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
            ["123e4567e89b12d3a456426614174000", "g23e4567-e89b-12d3-a456-426614174000"]
        ),
        ("ipv4", ["127.0.0.1", "255.255.255.255"], ["127.0.0", "256.0.0.1", "01.0.0.1", "1.2.3.4.5", "1..2.3"]),
        (
            "ipv6", ["::", "::1", "1::", "2001:db8::ff00:42:8329", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8"],
            [
                ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::1::", ":1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7:8:", "192.0.2.1", "::g",
            ]
        ),
        ("email", ["a@b"], ["a", "@b", "a@", "a@b@c"]),
        ("uri", ["https://a/b", "mailto:a@b", "urn:a"], ["/a", "a", "http://a b", ":a", "1a:b"]),
        ("int32", ["2147483647", "1e3", "1.0"], []), ("hostname", ["!"], []),
    ]

    @Test(arguments: formats)
    func `A format accepts what is certain`(format: String, fitting: [String], others: [String]) throws {
        let schema = try SchemaCase("{\"format\": \"\(format)\"}", .openAPI31)
        for text in fitting { #expect(try schema.lines("\"\(text)\"") == [], "\(text)") }
        for text in others { #expect(try schema.lines("\"\(text)\"").count == 1, "\(text)") }
    }

    private static let integers: [(String, String, Bool)] = [
        ("int32", "2147483648", false), ("int32", "-2147483648", true), ("int32", "1e10", false),
        ("int32", "1.5", false), ("int32", "12e2", true),
        ("int64", "9223372036854775807", true), ("int64", "9223372036854775808", false),
        ("int64", "-9.223372036854775808e18", true), ("int64", "1e400", false),
    ]

    @Test(arguments: integers)
    func `A format of integers is a range`(format: String, number: String, isFitting: Bool) throws {
        #expect(try SchemaCase("{\"format\": \"\(format)\"}", .openAPI30).lines(number).isEmpty == isFitting)
    }

    private static let patterns: [(String, String, Bool)] = [
        (#"^a$"#, "a\n", false), (#"^\d+$"#, "١", false), (#"^\w$"#, "é", false), (#"^\s$"#, "\u{FEFF}", true),
        (#"^[\d-]+$"#, "1-2", true),
        (#"^[[a]+$"#, "[a", true), (#"^[a&&b]+$"#, "&", true), (#"^\/a\/$"#, "/a/", true), (#"^[^]$"#, "\n", true),
        (#"^.$"#, "\n", false),
        (#"^\u{1F600}$"#, "😀", true), (#"^.$"#, "😀", true), (#"^(?<x>a)\k<x>$"#, "aa", true), (#"^\p{L}$"#, "é", true),
        (#"[$]\$"#, "$$", true),
        (#"(?<=a)b"#, "ab", true), (#"^\cJ$"#, "\n", true), (#"^[\W]$"#, "a", false), (#"["#, "x", true),
        (#"^(?!a)"#, "ab", false),
    ]

    @Test(arguments: patterns)
    func `A pattern is read as ECMA-262 has it`(pattern: String, text: String, isFitting: Bool) throws {
        let schema = Node(json: ["pattern": .string(pattern)], pointer: "#")
        let findings = Schemas(schema, dialect: .jsonSchema).findings(in: .string(text), schema: schema, direction: nil)
        #expect(findings.isEmpty == isFitting)
    }
}
