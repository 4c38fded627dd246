import APIBaseStubs
import Foundation
package import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HAR.Request {
    package init(_ request: URLRequest, body: Data) {
        let text = request.url?.absoluteString ?? ""
        let url = String(text.prefix { $0 != "#" })
        let headers = HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        self.init(
            method: HTTPMethod(rawValue: request.httpMethod ?? "GET").rawValue,
            url: url,
            headers: headers.map { HAR.Field(name: $0.name, value: $0.value) },
            queryString: (URLComponents(string: url)?.queryItems ?? []).map {
                HAR.Field(name: $0.name, value: $0.value ?? "")
            },
            postData: body.isEmpty
                ? nil : HAR.PostData(body, type: headers["Content-Type"] ?? "application/octet-stream"),
            bodySize: body.count
        )
    }
}

extension HAR.Response {
    package init(_ head: ResponseHead, body: Data) {
        let headers = head.headers
        self.init(
            status: head.statusCode,
            httpVersion: head.httpVersion ?? "unknown",
            headers: headers.map { HAR.Field(name: $0.name, value: $0.value) },
            content: HAR.Content(body, type: headers["Content-Type"] ?? "application/octet-stream"),
            redirectURL: headers["Location"] ?? "",
            bodySize: body.count
        )
    }
}

extension HAR.Entry {
    var reply: StubReply {
        var headers = HTTPHeaders()
        // Browsers export the pseudo-header fields of HTTP/2 as headers.
        for field in response.headers where !field.name.hasPrefix(":") {
            // They export several cookies as one field.
            for value in field.value.split(separator: "\n", omittingEmptySubsequences: false) {
                headers.add(name: field.name, value: value.trimmingCharacters(in: .newlines))
            }
        }
        let version = response.httpVersion.uppercased()
        var reply = StubReply(statusCode: response.status, headers: headers, data: response.content.data ?? Data())
        reply.httpVersion = version.hasPrefix("HTTP/") ? version : nil
        return reply
    }

    /// Whether the entry has a request, and a response to it. Browsers record blocked and failed requests with status 0.
    package var hasResponse: Bool { hasRequest && response.status >= 100 }

    /// Whether the entry has a request that can be read.
    package var hasRequest: Bool { !request.method.isEmpty && !request.url.isEmpty }

    var lacksBody: Bool {
        response.content.text == nil && response.content.size > 0 && request.method.uppercased() != "HEAD"
            && !(300..<400).contains(response.status)
    }
}
