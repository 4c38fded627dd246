import APIBaseKit
import Foundation

@testable import APIBaseCache

/// Requests and replies for the tables of the rules, at exact dates.
enum CacheScene {
    /// Sun, 06 Nov 1994 08:49:37 GMT: when all replies are received, if nothing else is said.
    static let start = Date(timeIntervalSince1970: 784_111_777)
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let url = URL(string: "https://api.example/items/1?q=a") ?? URL(fileURLWithPath: "/")

    static func request(
        _ headers: [String: String] = [:],
        method: String = "GET",
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) -> URLRequest {
        var request = URLRequest(url: url, cachePolicy: policy)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// A reply, with the `Date` of the start unless the headers have one.
    static func reply(
        _ headers: HTTPHeaders = [:],
        status: Int = 200,
        to request: URLRequest = request(),
        tookSeconds: TimeInterval = 0,
        body: String = "body"
    ) -> StoredResponse {
        let head = ReceivedHead(
            statusCode: status,
            headers: headers,
            requestedAt: start - tookSeconds,
            receivedAt: start
        )
        return StoredResponse(answering: request, head, body: Data(body.utf8))
    }
}
