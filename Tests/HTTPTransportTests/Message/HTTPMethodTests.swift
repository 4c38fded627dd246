import Foundation
import HTTPTransport
import Testing

@Suite struct HTTPMethodTests {
    @Test(arguments: [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ])
    func `A standard HTTP method given in any letter case is written in capitals`(name: String) {
        #expect(HTTPMethod(rawValue: name.lowercased()).rawValue == name)
        #expect(HTTPMethod(rawValue: name.capitalized) == HTTPMethod(rawValue: name))
        #expect("\(HTTPMethod(rawValue: name.lowercased()))" == name)
    }

    /// Also what only looks like a known one in capitals: long s and dotless i.
    @Test(arguments: ["purge", "Report", "", "get ", "po\u{17F}t", "opt\u{131}ons"])
    func `An HTTP method that is not standard keeps its spelling`(name: String) {
        #expect(HTTPMethod(rawValue: name).rawValue == name)
    }

    @Test(arguments: [
        (HTTPMethod.get, true, true), (.head, true, true), (.options, true, true), (.query, true, true),
        (.put, false, true),
        (.delete, false, true), (.post, false, false), (.patch, false, false),
        (HTTPMethod(rawValue: "trace"), true, true), (HTTPMethod(rawValue: "Query"), true, true),
        (HTTPMethod(rawValue: "PURGE"), false, false),
        (HTTPMethod(rawValue: ""), false, false),
    ])
    func `HTTPMethod.isSafe and isIdempotent have the values of RFC 9110 and 10008 for each method`(
        method: HTTPMethod,
        isSafe: Bool,
        isIdempotent: Bool
    ) {
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
    }
}
