import APIBaseKit
import StrictJSON
import Testing

/// Values that shops and payment services send: amounts, states that grow, dates with fractions.
@Suite struct LenientValueTests {
    private struct Order: Codable, Equatable {
        enum State: String, Sendable { case open, paid }

        @LenientDecimal var total: Decimal
        var discount: LenientDecimal?
        var state: OpenEnum<State>
    }

    private func orders(_ text: String) -> [Result<Order, any Error>] {
        let data = Data(text.utf8)
        return [
            Result { try JSONDecoder().decode(Order.self, from: data) },
            Result { try StrictJSONDecoder().decode(Order.self, from: data) },
        ]
    }

    @Test(arguments: [
        (#""19.99""#, "19.99"), ("19.99", "19.99"), ("0.30000000000000004", "0.30000000000000004"), (#""1e3""#, "1000"),
        (#""-0.5""#, "-0.5"), ("7", "7"),
        (#""123456789012345678901234567890.12""#, "123456789012345678901234567890.12"),
    ])
    func `LenientDecimal decodes a number or a numeric string without loss of digits`(text: String, digits: String)
        throws
    {
        for order in orders(#"{"total": \#(text), "discount": null, "state": "open"}"#) {
            #expect(try order.get().total.description == digits && order.get().discount == nil)
        }
    }

    @Test(arguments: [
        #""12abc""#, #""""#, #"" ""#, "true", "null", "[1]", #""1,5""#, #""NaN""#, #""0x1F""#, #"" 5""#, #""5 ""#,
        #""1.""#,
    ])
    func `LenientDecimal throws DecodingError for JSON that is no decimal number`(text: String) {
        for order in orders(#"{"total": \#(text), "state": "open"}"#) {
            #expect(throws: DecodingError.self) { try order.get() }
        }
    }

    @Test func `LenientDecimal is encoded as the string or number from which it was decoded`() throws {
        let text = #"{"discount":"1.50","state":"returned","total":2.25}"#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for order in orders(text) {
            var order = try order.get()
            #expect(String(decoding: try encoder.encode(order), as: UTF8.self) == text)
            order.total = 3
            #expect(String(decoding: try encoder.encode(order), as: UTF8.self).hasSuffix(#""total":"3"}"#))
        }
        let new = Order(total: 2.25, state: .known(.paid))
        #expect(String(decoding: try encoder.encode(new), as: UTF8.self) == #"{"state":"paid","total":"2.25"}"#)
    }

    @Test func `OpenEnum decodes an unknown case and keeps its raw value`() throws {
        for order in orders(#"{"total": 1, "state": "returned"}"#) {
            let state = try order.get().state
            #expect(state == .unknown("returned") && state.value == nil && state.rawValue == "returned")
        }
        for order in orders(#"{"total": 1, "state": "paid"}"#) {
            let state = try order.get().state
            #expect(state == .paid && state != .open && state == .known(.paid) && state.value == .paid)
        }
        #expect(OpenEnum<Order.State>(rawValue: "open") == .known(.open))
        #expect(OpenEnum<Order.State>.unknown("open").hashValue == OpenEnum.known(Order.State.open).hashValue)
    }

    @Test func `Encoding a LenientDecimal of NaN throws EncodingError`() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([LenientDecimal(wrappedValue: .nan)]) }
    }

    @Test func `OpenEnum is decoded as the key of a dictionary, also for an unknown case`() throws {
        let counts = try JSONDecoder().decode(
            [OpenEnum<Order.State>: Int].self,
            from: Data(#"{"paid": 1, "new": 2}"#.utf8)
        )
        #expect(counts == [.known(.paid): 1, .unknown("new"): 2])
    }

    @Test(arguments: [
        ("2026-11-24T08:30:00.125Z", 125, "2026-11-24T08:30:00.125Z"),
        ("2026-11-24T08:30:00Z", 0, "2026-11-24T08:30:00Z"),
        ("2026-11-24T09:30:00.999+01:00", 999, "2026-11-24T08:30:00.999Z"),
        ("2026-11-24T08:30:00.1Z", 100, "2026-11-24T08:30:00.100Z"),
        ("2026-11-24T08:30:00.123456Z", 123, "2026-11-24T08:30:00.123Z"),
        ("2026-11-24t00:30:00.5-0800", 500, "2026-11-24T08:30:00.500Z"),
        ("2026-11-24 08:29:60Z", 0, "2026-11-24T08:30:00Z"),
    ])
    func `ISO 8601 dates with fractions keep their milliseconds when decoded and encoded`(
        text: String,
        milliseconds: Int,
        written: String
    ) throws {
        let (decoder, strict, encoder) = (JSONDecoder(), StrictJSONDecoder(), JSONEncoder())
        decoder.dateDecodingStrategy = .rfc3339
        strict.dateDecodingStrategy = .rfc3339
        encoder.dateEncodingStrategy = .rfc3339
        let data = Data("[\"\(text)\"]".utf8)
        for dates in [try decoder.decode([Date].self, from: data), try strict.decode([Date].self, from: data)] {
            let seconds = 1_795_509_000 + Double(milliseconds) / 1_000
            #expect(abs((dates.first ?? .distantPast).timeIntervalSince1970 - seconds) < 0.001)
            #expect(String(decoding: try encoder.encode(dates), as: UTF8.self) == "[\"\(written)\"]")
        }
    }

    @Test(arguments: [
        ("2026-11-24T08:30:00.125Z", 0.125), ("2026-11-24T08:30:00", 0), ("2026-11-24 08:30:00.5", 0.5),
        ("2026-11-24T08:30", 0), ("2026-11-24T09:30+01:00", 0), ("2026-11-24", -30_600.0),
    ])
    func `Lenient dates may lack offset, seconds and time`(text: String, seconds: Double) throws {
        let (decoder, strict) = (JSONDecoder(), StrictJSONDecoder())
        decoder.dateDecodingStrategy = .lenient
        strict.dateDecodingStrategy = .lenient
        let data = Data("[\"\(text)\"]".utf8)
        for dates in [try decoder.decode([Date].self, from: data), try strict.decode([Date].self, from: data)] {
            #expect(dates.map { $0.timeIntervalSince1970 - 1_795_509_000 } == [seconds])
        }
    }

    private struct Visit: Decodable {
        struct Place: Decodable { var since: Date }
        @Patch var at: Date?
        var until: Date?
        var place: Place?
    }

    /// What a member that may be missing is; `nil` for an error.
    @Test(arguments: [
        (#"{"until": "", "at": ""}"#, true), (#"{"until": null}"#, true), ("{}", true), (#"{"until": " "}"#, false),
        (#"{"until": "soon"}"#, false), (#"{"until": 7}"#, false), (#"{"place": {"since": ""}}"#, false),
    ])
    func `An empty text is nil in a member with a lenient date, and an error in one that has to be there`(
        text: String,
        isAbsent: Bool
    ) throws {
        let decoder = StrictJSONDecoder()
        decoder.dateDecodingStrategy = .lenient
        let visit = try? decoder.decode(Visit.self, from: Data(text.utf8))
        #expect((visit != nil) == isAbsent)
        #expect(visit?.until == nil && visit?.at == nil)
        decoder.dateDecodingStrategy = .rfc3339
        if text != "{}", !text.contains("null") {
            #expect(throws: DecodingError.self) { try decoder.decode(Visit.self, from: Data(text.utf8)) }
        }
    }

    @Test(arguments: [
        "x", "2026-11", "2026-11-24T", "2026-11-24T08", "2026-11-24T08:30:", "2026-11-24Z", "24.11.2026", "2026-02-30",
    ])
    func `A text that is no lenient date is an error`(text: String) {
        let decoder = StrictJSONDecoder()
        decoder.dateDecodingStrategy = .lenient
        #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data("[\"\(text)\"]".utf8)) }
    }

    @Test(arguments: [
        "2026-11-24", "", "yesterday", "2026-13-24T08:30:00Z", "2026-11-24T08:30:00Zjunk",
        "2026-11-24T08:30:00", "2026-11-24T08:30:00.Z", "2026-11-24T24:00:00Z", "2026-02-29T08:30:00Z",
        "12026-11-24T08:30:00Z",
        "2026-11-24T08:30:00+25:00", "2026-11-24T08:30:00Z ", " 2026-11-24T08:30:00Z", "２026-11-24T08:30:00Z",
    ]) func `Decoding a text that is no ISO 8601 date with time and zone throws DecodingError`(text: String) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data("[\"\(text)\"]".utf8)) }
    }

    @Test(arguments: [
        (-62_167_219_200.0, "0000-01-01T00:00:00Z"), (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"), (0.999_9, "1970-01-01T00:00:01Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
    ])
    func `Dates of the years 0 to 9999 are encoded as ISO 8601 and decoded again`(seconds: Double, text: String) throws
    {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .rfc3339
        decoder.dateDecodingStrategy = .rfc3339
        let data = try encoder.encode([Date(timeIntervalSince1970: seconds)])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(text)\"]")
        let read = try #require(try decoder.decode([Date].self, from: data).first)
        #expect(abs(read.timeIntervalSince1970 - seconds) < 0.001)
    }

    @Test(arguments: [-62_167_219_201.0, 253_402_300_800, .infinity, .nan, 1e300])
    func `Encoding a date outside of the years 0 to 9999 as ISO 8601 throws EncodingError`(seconds: Double) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .rfc3339
        #expect(throws: EncodingError.self) { try encoder.encode([Date(timeIntervalSince1970: seconds)]) }
    }

    @Test func `Dates, decimals and OpenEnum values are sent as query items, dates in ISO 8601`() throws {
        let request = JSONAPI(.get("http://api.example/x"))
        let date = Date(timeIntervalSince1970: 1_795_509_000)
        request.query = [
            "since": date, "until": date + 0.25, "price": Decimal(string: "19.99"),
            "state": OpenEnum(rawValue: "x") as OpenEnum<Order.State>,
        ]
        let query = try request.buildURLRequest().url?.query?.removingPercentEncoding
        #expect(query == "since=2026-11-24T08:30:00Z&until=2026-11-24T08:30:00.250Z&price=19.99&state=x")
        #expect(request.query["since"] == date && request.query["price"] == Decimal(string: "19.99"))
        #expect(request.query["state"] == Date?.none)
    }

    /// One requirement is enough for a type that is only sent.
    @Test func `A QueryValue type needs only queryTexts to be sent as a query item`() throws {
        struct Range: QueryValue { var queryTexts: [String] { ["1..2"] } }
        let request = JSONAPI(.get("http://api.example/x", query: ["range": Range()]))
        #expect(try request.buildURLRequest().url?.query == "range=1..2")
    }
}
