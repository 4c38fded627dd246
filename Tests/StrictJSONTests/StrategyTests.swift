import Foundation
import StrictJSON
import Testing

@Suite struct StrategyTests {
    @Test func `StrictJSONDecoder decodes a Date by the seconds, milliseconds and custom strategies`() throws {
        try expectSameValue(Date.self, "1.5")
        try expectSameValue(Date.self, "1700000000.25") { $0.dateDecodingStrategy = .secondsSince1970 }
        try expectSameValue(Date.self, "1700000000250") { $0.dateDecodingStrategy = .millisecondsSince1970 }
        try expectSameValue(Date.self, "5") {
            $0.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: try Double(from: $0) * 2) }
        }
        try expectSameFailure([Date].self, "[null]", "valueNotFound Date", ["Index 0"])
    }

    /// Days at every end of months and years, and invalid ones.
    @Test func `StrictJSONDecoder accepts and refuses ISO 8601 dates around ends of months like JSONDecoder`() throws {
        let set: (JSONDecoder) -> Void = { $0.dateDecodingStrategy = .iso8601 }
        for year in [
            "0001", "1500", "1582", "1600", "1700", "1899", "1900", "1970", "2000", "2023", "2024", "2100", "9999",
        ] {
            for month in 1...13 {
                for day in ["01", "28", "29", "30", "31", "32"] {
                    let text = "\"\(year)-\(month < 10 ? "0" : "")\(month)-\(day)T23:59:58Z\""
                    let both = try Both(Date.self, text, set: set)
                    guard case .value(let theirs) = both.theirs else {
                        #expect(both.failure?.kind == "dataCorrupted", "\(text)")
                        continue
                    }
                    #expect(both.value == theirs, "\(text)")
                }
            }
        }
        for text in [
            "T24:00:00Z", "T23:60:00Z", "T23:59:60Z", "T23:59:59+01:00", "T23:59:59", "t23:59:59z", " 23:59:59Z",
            "T23:59:5Z",
        ] {
            let both = try Both(Date.self, "\"2026-11-22\(text)\"", set: set)
            guard case .value(let theirs) = both.theirs else {
                #expect(both.failure?.kind == "dataCorrupted", "\(text)")
                continue
            }
            #expect(both.value == theirs, "\(text)")
        }
    }

    @Test func `StrictJSONDecoder decodes a Date with a DateFormatter, or fails with dataCorrupted`() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd"
        try expectSameValue(Date.self, "\"2026/11/22\"") { $0.dateDecodingStrategy = .formatted(formatter) }
        try expectSameFailure([Date].self, "[\"x\"]", "dataCorrupted", ["Index 0"]) {
            $0.dateDecodingStrategy = .formatted(formatter)
        }
    }

    @Test func `StrictJSONDecoder decodes Data from Base64, from an array of bytes or by a custom strategy`() throws {
        try expectSameValue(Data.self, #""AQID""#, Data([1, 2, 3]))
        try expectSameValue(Data.self, #""AQ\u0049D""#, Data([1, 2, 3]))
        try expectSameValue(Data.self, "[1,2,3]", Data([1, 2, 3])) { $0.dataDecodingStrategy = .deferredToData }
        try expectSameValue(Data.self, "7", Data([7])) {
            $0.dataDecodingStrategy = .custom { Data([try UInt8(from: $0)]) }
        }
        try expectSameFailure([Data].self, "[5]", "typeMismatch String", ["Index 0"])
    }

    @Test func `StrictJSONDecoder decodes infinity and NaN only from the strings that its strategy names`() throws {
        let set: (JSONDecoder) -> Void = {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "INF",
                negativeInfinity: "-INF",
                nan: "nan"
            )
        }
        try expectSameValue([Double].self, #"["INF","-INF",1]"#, [.infinity, -.infinity, 1], set: set)
        #expect(try Both(Float.self, #""nan""#, set: set).value?.isNaN == true)
        try expectSameFailure([Double].self, #"["IN\u0046"]"#, "typeMismatch Double", ["Index 0"], set: set)
        try expectSameFailure([Double].self, #"["INF"]"#, "typeMismatch Double", ["Index 0"])
    }

    @Test(arguments: [
        "a", "a_b", "first_name", "_first_name_", "__", "_", "", "a__b", "URL_of_it", "aB_cD", "a_", "_a",
        "ALL_CAPS", "é_è", "a_1_b", "ß_x",
    ])
    func `StrictJSONDecoder converts snake case keys like JSONDecoder, but not the keys of dictionaries`(key: String)
        throws
    {
        struct Keys: Decodable, Equatable {
            var keys: [String]
            init(from decoder: any Decoder) throws {
                keys = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
            }
        }
        try expectSameValue(Keys.self, "{\"\(key)\":1}") { $0.keyDecodingStrategy = .convertFromSnakeCase }
        // The keys of dictionaries stay.
        try expectSameValue([String: [String: Int]].self, "{\"\(key)\":{\"\(key)\":1}}") {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        }
    }

    @Test
    func `StrictJSONDecoder error paths have converted keys for models and original ones for dictionaries`() throws {
        struct Model: Decodable {
            struct Inner: Decodable { var someValue: Int }
            var innerPart: [Inner]
            var dictionary: [String: Inner]?
        }
        try expectSameFailure(
            Model.self,
            #"{"inner_part":[{"some_value":1},{"some_value":"x"}]}"#,
            "typeMismatch Int",
            ["innerPart", "Index 1", "someValue"]
        ) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        try expectSameFailure(
            Model.self,
            #"{"inner_part":[],"dictionary":{"a_b":{"some_value":"x"}}}"#,
            "typeMismatch Int",
            ["dictionary", "a_b", "someValue"]
        ) { $0.keyDecodingStrategy = .convertFromSnakeCase }
    }

    @Test func `StrictJSONDecoder uses a custom key strategy for the keys of models and of error paths`() throws {
        let set: (JSONDecoder) -> Void = {
            $0.keyDecodingStrategy = .custom { path in Name("\(path.count)\(path.last?.stringValue ?? "")") }
        }
        struct Model: Decodable, Equatable {
            var inner: [Int: [String: Int]]
            enum CodingKeys: String, CodingKey { case inner = "1a" }
        }
        try expectSameValue(Model.self, #"{"a":{"7":{"b":5}}}"#, set: set)
        try expectSameFailure(Model.self, #"{"a":1}"#, "typeMismatch Dictionary<String, Any>", ["1a"], set: set)
    }

    @Test
    func `StrictJSONDecoder(settingsOf:) is nil for JSON5, assumed top-level dictionaries and subclasses`() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(StrictJSONDecoder(settingsOf: decoder) == nil)
        decoder.allowsJSON5 = false
        #expect(StrictJSONDecoder(settingsOf: decoder) != nil)
        decoder.assumesTopLevelDictionary = true
        #expect(StrictJSONDecoder(settingsOf: decoder) == nil)
        final class Own: JSONDecoder, @unchecked Sendable {}  // restates what JSONDecoder says
        #expect(StrictJSONDecoder(settingsOf: Own()) == nil)
    }

    @Test func `StrictJSONDecoder decodes dates, keys, data and infinity by its own strategy properties`() throws {
        let decoder = StrictJSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dataDecodingStrategy = .deferredToData
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+",
            negativeInfinity: "-",
            nan: "?"
        )
        struct Model: Decodable, Equatable { var someDate: Date, someData: Data, float: Double }
        let json = #"{"some_date":5,"some_data":[1],"float":"+"}"#
        let model = Model(someDate: Date(timeIntervalSince1970: 5), someData: Data([1]), float: .infinity)
        #expect(try decoder.decode(Model.self, from: Data(json.utf8)) == model)
    }
}
