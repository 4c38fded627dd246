import APIBaseKit
import Testing

@Suite struct QueryStyleTests {
    private struct Filter: Encodable {
        struct Range: Encodable {
            var from = 1
            var upTo: Int?
        }

        var perPage = 10
        var isOpen = true
        var tags = ["a", "b,c"]
        var range = Range()
        var since = Date(timeIntervalSince1970: 0.5)
        var none: Int?
        var ratio = 0.1
        var empty: [Int] = []
    }

    private func text(_ value: some Encodable, _ style: QueryStyle = QueryStyle()) throws -> String {
        let call = Call()
        try call.setQuery(value, style: style)
        return call.queryItems.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    }

    @Test func `The default QueryStyle repeats the name of an array and writes nested objects in brackets`() throws {
        #expect(
            try text(Filter())
                == "isOpen=true&perPage=10&range[from]=1&ratio=0.1&since=1970-01-01T00:00:00Z&tags=a&tags=b,c"
        )
    }

    @Test(arguments: [
        (QueryStyle(arrays: .brackets), "tags[]=a&tags[]=b,c"), (QueryStyle(arrays: .indices), "tags[0]=a&tags[1]=b,c"),
        (QueryStyle(arrays: .commas), "tags=a,b,c"), (QueryStyle(booleans: .numbers), "isOpen=1"),
        (QueryStyle(dates: .secondsSince1970), "since=0.5"), (QueryStyle(dates: .millisecondsSince1970), "since=500"),
        (QueryStyle(keys: .snakeCase), "is_open=true&per_page=10&"), (QueryStyle(objects: .dots), "range.from=1"),
    ])
    func `Each QueryStyle option changes how arrays, booleans, dates, keys or objects are written`(
        style: QueryStyle,
        part: String
    ) throws {
        #expect(try text(Filter(), style).contains(part))
    }

    @Test(arguments: [
        (["n": 9_223_372_036_854_775_807], "n=9223372036854775807"), (["n": -1], "n=-1"), (["n": 0], "n=0"),
    ])
    func `A query encodes Int.max, -1 and 0 with all their digits`(value: [String: Int], expected: String) throws {
        #expect(try text(value) == expected)
    }

    @Test func `A query encodes UInt64, Double, Float and Decimal exactly; NaN throws EncodingError`() throws {
        #expect(try text(["n": UInt64.max]) == "n=18446744073709551615")
        #expect(try text(["n": 1e300]) == "n=1e+300")
        #expect(try text(["n": Float(0.1)]) == "n=0.1")
        #expect(try text(["n": Decimal(string: "0.12345678901234567890123")]) == "n=0.12345678901234567890123")
        #expect(throws: EncodingError.self) { try text(["n": Double.nan]) }
    }

    @Test
    func `Nested arrays and arrays of objects in a query are written by element in the chosen QueryStyle`() throws {
        struct Point: Encodable { var x: Int }
        let points = ["p": [Point(x: 1), Point(x: 2)]]
        #expect(try text(points) == "p[x]=1&p[x]=2")
        #expect(try text(points, QueryStyle(arrays: .indices, objects: .dots)) == "p[0].x=1&p[1].x=2")
        #expect(try text(points, QueryStyle(arrays: .commas)) == "p[x]=1&p[x]=2")
        #expect(try text(["m": [[1, 2], [3]]], QueryStyle(arrays: .brackets)) == "m[][]=1&m[][]=2&m[][]=3")
        #expect(try text(["m": [1, nil, 2] as [Int?]], QueryStyle(arrays: .commas)) == "m=1,2")
        #expect(try text([String: Int]()) == "")
    }
}
