import Foundation
import Testing

@testable import HTTPTransport

@Suite struct HTTPHeadersTests {
    @Test func `Header names are compared without regard to case`() {
        var headers: HTTPHeaders = ["Content-Type": "a"]
        #expect(headers["CONTENT-type"] == "a")
        #expect(headers.contains(name: "content-TYPE"))
        #expect(headers["Content-Typ"] == nil)
        headers["content-type"] = "b"
        #expect(headers.count == 1)
        headers.remove(name: "CONTENT-TYPE")
        #expect(headers.isEmpty)
    }

    /// A Kelvin sign is no K, and a long s no S.
    @Test func `Header names ignore case for ASCII letters only, so a Kelvin sign is not a k`() {
        let headers: HTTPHeaders = ["K": "1", "S": "2"]
        #expect(headers["\u{212A}"] == nil)
        #expect(headers["\u{17F}"] == nil)
        #expect(headers["k"] == "1")
    }

    @Test func `Repeated headers keep their order, and reading one joins its values with a comma`() {
        var headers = HTTPHeaders()
        headers.add(name: "A", value: "1")
        headers.add(name: "B", value: "2")
        headers.add(name: "a", value: "3")
        #expect(headers.values(for: "A") == ["1", "3"])
        #expect(headers["A"] == "1, 3")
        #expect(headers.map(\.name) == ["A", "B", "a"])
        #expect(headers.count == 3)
    }

    @Test func `Setting a header replaces all its repeats at the position of the first`() {
        var headers: HTTPHeaders = ["X": "0", "A": "1", "B": "2", "a": "3", "C": "4"]
        headers["A"] = "5"
        #expect(headers.map { "\($0.name)\($0.value)" } == ["X0", "A5", "B2", "C4"])
        headers["D"] = "6"
        #expect(headers.map(\.name) == ["X", "A", "B", "C", "D"])
        headers["A"] = nil
        headers["None"] = nil
        #expect(headers.map(\.name) == ["X", "B", "C", "D"])
    }

    @Test func `HTTPHeaders.dictionary joins repeated headers with a comma, and Cookie with a semicolon`() {
        let headers: HTTPHeaders = ["Accept": "a", "accept": "b", "Cookie": "c=1", "COOKIE": "d=2", "X": ""]
        #expect(headers.dictionary == ["Accept": "a, b", "Cookie": "c=1; d=2", "X": ""])
    }

    @Test(arguments: [0, 31, 32, 33, 100])
    func `HTTPHeaders.dictionary joins repeated headers among any number of other headers`(others: Int) {
        var headers: HTTPHeaders = ["Accept": "a"]
        for index in 0..<others { headers.add(name: "X-\(index)", value: "\(index)") }
        headers.add(name: "ACCEPT", value: "b")
        headers.add(name: "accept", value: "c")
        #expect(headers.dictionary.count == others + 1)
        #expect(headers.dictionary["Accept"] == "a, b, c")
        #expect(headers.dictionary["X-30"] == (others > 30 ? "30" : nil))
    }

    @Test func `HTTPHeaders made from a dictionary are sorted by name`() {
        #expect(HTTPHeaders(["b": "1", "a": "2", "c": "3"]).map(\.name) == ["a", "b", "c"])
    }

    @Test func `Headers are equal if each name, ignoring case, has the same values in the same order`() {
        let headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        let same: HTTPHeaders = ["b": "2", "a": "1", "A": "3"]
        #expect(headers == same)
        #expect(headers.hashValue == same.hashValue)
        #expect(headers != ["A": "3", "B": "2", "a": "1"])
        #expect(headers != ["A": "1", "B": "2"])
        #expect(headers != ["A": "1", "B": "2", "a": "3", "C": "4"])
        #expect(headers != ["A": "1, 3", "B": "2"])
    }

    @Test func `Secret header values do not appear in the description or a dump of HTTPHeaders`() {
        var headers: HTTPHeaders = ["X-Plain": "plain", "X-Own": "own"]
        for name in HTTPHeaders.secretNames { headers.add(name: name.uppercased(), value: "canary") }
        headers.add(name: "authorization", value: "canary")
        var dumped = ""
        dump(headers, to: &dumped)
        for text in ["\(headers)", String(reflecting: headers), dumped] {
            #expect(!text.contains("canary"))
            #expect(text.contains("plain"))
        }
        #expect(headers.description.contains(#""X-Own": "own""#))
    }

    /// A log has a line for it, whatever is in it.
    @Test func `The description of HTTPHeaders is one line even if a value contains a line break`() {
        let headers: HTTPHeaders = ["Accept": "text/csv", "X-A": "a\r\nb \"c\""]
        #expect(headers.description == #"["Accept": "text/csv", "X-A": "a\r\nb \"c\""]"#)
        #expect(HTTPHeaders().description == "[:]")
    }
}
