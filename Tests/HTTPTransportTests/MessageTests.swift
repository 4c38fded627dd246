import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct HTTPHeadersTests {
    @Test func keepsOrderAndRepeats() {
        var headers: HTTPHeaders = ["B": "1", "a": "2", "b": "3"]
        #expect(headers.map(\.name) == ["B", "a", "b"])
        #expect(headers["b"] == "1, 3")
        #expect(headers.values(for: "B") == ["1", "3"])
        #expect(headers["c"] == nil)
        headers["b"] = "4"
        #expect(headers.map(\.name) == ["b", "a"])
        #expect(headers.map(\.value) == ["4", "2"])
        headers["c"] = ""
        #expect(headers["C"] == "")
        headers["A"] = nil
        #expect(headers.map(\.name) == ["b", "c"])
        headers.add(name: "C", value: "5")
        #expect(headers.count == 3)
        headers.remove(name: "c")
        #expect(headers.count == 1 && !headers.isEmpty && headers.contains(name: "B"))
    }

    @Test func sortsADictionary() {
        #expect(HTTPHeaders(["b": "2", "a": "1", "c": "3"]).map(\.name) == ["a", "b", "c"])
    }

    @Test func joinsForADictionary() {
        let headers: HTTPHeaders = ["Cookie": "a=1", "X": "1", "cookie": "b=2", "x": "2"]
        #expect(headers.dictionary == ["Cookie": "a=1; b=2", "X": "1, 2"])
    }

    @Test func comparesNamesWithoutCaseAndValuesInOrder() {
        let headers: HTTPHeaders = ["A": "1", "B": "x", "a": "2"]
        let same: HTTPHeaders = ["b": "x", "a": "1", "A": "2"]
        #expect(headers == same)
        #expect(headers.hashValue == same.hashValue)
        #expect(headers != ["A": "2", "B": "x", "a": "1"])
        #expect(headers != ["A": "1", "B": "X", "a": "2"])
        #expect(headers != ["A": "1", "a": "2"])
        let kelvin: HTTPHeaders = ["\u{212A}": "1"]
        #expect(kelvin["k"] == nil, "only ASCII letters are without case")
    }

    @Test(arguments: SecretHeaders.default.sorted())
    func neverPrintsSecrets(_ name: String) {
        var headers: HTTPHeaders = ["Accept": "text/plain"]
        headers.add(name: name.lowercased(), value: "canary")
        var dumped = ""
        dump(headers, to: &dumped)
        for text in ["\(headers)", String(reflecting: headers), dumped] {
            #expect(!text.contains("canary"))
            #expect(text.contains("text/plain"))
        }
    }

    @Test func neverTraps() {
        var headers: HTTPHeaders = ["": "", "\r\n": "\u{0}", "é": "é"]
        headers[""] = nil
        headers["\r\n"] = "x"
        #expect(headers.count == 2)
        #expect(headers["É"] == nil)
    }
}

@Suite struct HTTPMethodTests {
    @Test func upperCasesTheKnownOnes() {
        #expect(HTTPMethod(rawValue: "patch") == .patch)
        #expect(HTTPMethod(rawValue: "Get") == .get)
        #expect(HTTPMethod(rawValue: "report").rawValue == "report")
        #expect("\(HTTPMethod.options)" == "OPTIONS")
    }

    @Test func knowsWhatIsSafeToRepeat() {
        #expect([HTTPMethod.get, .head, .options, .put, .delete].allSatisfy { $0.isIdempotent })
        #expect(![HTTPMethod.post, .patch, HTTPMethod(rawValue: "REPORT")].contains { $0.isIdempotent })
        #expect([HTTPMethod.get, .head, .options].allSatisfy { $0.isSafe })
        #expect(![HTTPMethod.put, .delete, .post, .patch].contains { $0.isSafe })
    }
}

@Suite struct TransportErrorTests {
    @Test func showsNoSecretsOfTheURL() throws {
        let url = try #require(URL(string: "https://user:canary@h/p?page=canary&canary#canary"))
        let error = TransportError(phase: .head, reason: .connectionLost, url: url)
        #expect(error.url?.absoluteString == "https://h/p?page=redacted&redacted")
        let request = ExchangeRequest(URLRequest(url: url))
        var dumped = ""
        dump(error, to: &dumped)
        dump(request, to: &dumped)
        for text in ["\(error)", "\(request)", dumped, "\(error.urlError)"] { #expect(!text.contains("canary")) }
    }

    @Test(arguments: [
        (TransportError.Reason.hostNotFound, URLError.Code.cannotFindHost), (.cannotConnect, .cannotConnectToHost),
        (.connectionLost, .networkConnectionLost), (.tls, .secureConnectionFailed),
        (.timedOut(which: .total, after: .seconds(1)), .timedOut),
        (.tooLarge(.responseBytes, limit: 1), .dataLengthExceedsMaximum),
        (.tooManyRedirects(limit: 1), .httpTooManyRedirects), (.malformedResponse, .badServerResponse),
        (.invalidRequest(InvalidRequest(.url, .badHost)), .badURL),
        (.invalidRequest(InvalidRequest(.url, .unsupportedScheme)), .unsupportedURL),
        (.bodyNotReplayable, .requestBodyStreamExhausted),
    ])
    func hasACodeOfURLError(_ reason: TransportError.Reason, _ code: URLError.Code) {
        let error = TransportError(phase: .request, reason: reason, url: nil)
        #expect(error.urlError.code == code)
        #expect(error.errorDescription?.isEmpty == false)
    }
}
