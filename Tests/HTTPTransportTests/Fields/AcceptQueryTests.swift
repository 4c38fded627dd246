import Foundation
import HTTPTransport
import Testing

@Suite struct AcceptQueryTests {
    /// RFC 10008, section 3, with its own example first.
    @Test(arguments: [
        (
            #""application/jsonpath", application/sql;charset="UTF-8""#,
            ["application/jsonpath", "application/sql;charset=UTF-8"]
        ),
        // A token and a string mean the same: what is received as one MUST NOT be processed differently.
        ("application/sql", ["application/sql"]), (#""application/sql""#, ["application/sql"]),
        ("a/b;c=d", ["a/b;c=d"]), (#"a/b;c="d""#, ["a/b;c=d"]), (#"a/b;c="d e""#, [#"a/b;c="d e""#]),
        // A type that is no token, and the two kinds of ranges.
        (#""3gpp/x""#, ["3gpp/x"]), ("*/*", ["*/*"]), ("text/*, \"image/*\"", ["text/*", "image/*"]),
        ("a/b,c/d ,\te/f", ["a/b", "c/d", "e/f"]), ("", []),
    ])
    func `Accept-Query lists media ranges as tokens or strings, which are read alike`(field: String, types: [String]) {
        #expect((["Accept-Query": field] as HTTPHeaders).acceptedQueryTypes == types)
    }

    /// RFC 9651, section 4.2: nothing of it is used.
    @Test(arguments: [
        "a/b,", "a/b c/d", "3gpp/x", "1", "?1", ":AA==:", "(a/b)", "a/b;C=d", "a/b;c=1", "a/b;c", "application",
        "\"a/b",
        "\"\"", "\"a/b/c\"", "\"a /b\"", "/b", "\"a/\"", "*/b", "\"a*/b\"", "a/b*", "a/*+json", "a/b, 1", "ä/b",
    ])
    func `An Accept-Query of which a part is wrong is ignored as a whole`(field: String) {
        #expect((["Accept-Query": field] as HTTPHeaders).acceptedQueryTypes == nil)
    }

    @Test func `Several Accept-Query fields are one list, and no field is nil`() {
        var headers = HTTPHeaders()
        #expect(headers.acceptedQueryTypes == nil)
        headers.add(name: "accept-query", value: "a/b")
        headers.add(name: "Accept-Query", value: "\"c/d\"")
        #expect(headers.acceptedQueryTypes == ["a/b", "c/d"])
        let response = ResponseHead(statusCode: 200, headers: headers, url: URL(fileURLWithPath: "/")).httpURLResponse
        #expect(response.acceptedQueryTypes == ["a/b", "c/d"])
        headers.add(name: "Accept-Query", value: "=")
        #expect(headers.acceptedQueryTypes == nil)
    }
}
