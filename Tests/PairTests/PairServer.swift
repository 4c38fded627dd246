import APIBaseKit
import APIBaseStubs
import Foundation

/// The server of all kinds of calls. Its answers depend on the request alone.
enum PairServer {
    static let url = URL(string: "https://pairs.example")

    static func answer(_ call: StubbedCall) -> StubAnswer { answer(call, at: call.path, adding: [:]) }

    /// The answer to a request for another path, with further headers.
    static func answer(_ call: StubbedCall, at path: String, adding headers: HTTPHeaders) -> StubAnswer {
        let body = String(decoding: call.body, as: UTF8.self)
        return switch (call.method, path) {
        case (.get, "/item"): .json("7", headers: headers)
        case (.get, "/items"): .json(call.queryItem("after") == nil ? "[1]" : "[2]", headers: headers)
        case (.post, "/exports"):
            .json("{}", status: 202, headers: ["Location": "/exports/7", "Retry-After": "0"])
        case (.get, "/exports/7"): .json(#"{"state": "done"}"#, headers: headers)
        case (.post, "/chat"): .events([ServerSentEvent(data: "1"), ServerSentEvent(data: "2")])
        case (.get, "/file"): .text("bytes", headers: headers)
        case (.post, "/graphql") where body.contains("query Ship"): .json(#"{"data": {"count": 3}}"#)
        case (.post, "/graphql"): .json(body.contains(#""after":"a""#) ? lastPage : firstPage)
        case (.get, "/note"): .json("1", headers: ["ETag": #""v1""#])
        case (.put, "/note"): .json(body)
        default: .status(404)
        }
    }

    private static let firstPage =
        #"{"data": {"crew": {"nodes": [1], "pageInfo": {"hasNextPage": true, "endCursor": "a"}}}}"#
    private static let lastPage = #"{"data": {"crew": {"nodes": [2], "pageInfo": {"hasNextPage": false}}}}"#
}

extension StubbedCall {
    /// The request as the table names it.
    var line: String { "\(method.rawValue) \(path)\(url?.query.map { "?\($0)" } ?? "")" }
}
