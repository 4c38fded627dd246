import Foundation
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of its check that a request keeps.
@Suite struct ExchangeRequestTests {
    private func checked() throws -> ExchangeRequest {
        let url = try #require(URL(string: "https://h:8443/a?b=c"))
        var request = ExchangeRequest(URLRequest(url: url))
        #expect(request.checkedURL == nil)
        try request.check()
        return request
    }

    @Test func `A request keeps the checked URL with its text and origin after check()`() throws {
        let request = try checked()
        #expect(request.checkedURL != nil)
        #expect(request.checkedURL?.text == "https://h:8443/a?b=c")
        #expect(request.checkedURL?.origin == Origin(scheme: "https", host: "h", port: 8443))
    }

    @Test func `A request forgets the checked URL when its headers or body change`() throws {
        var request = try checked()
        request.urlRequest.allHTTPHeaderFields = ["Host": "e"]
        #expect(request.checkedURL == nil)
        #expect(throws: TransportError.InvalidRequest(.headerName("Host"), .reserved)) { try request.check() }

        request = try checked()
        request.body = .data(Data("x".utf8))
        #expect(request.checkedURL == nil)
        #expect(throws: TransportError.InvalidRequest(.body, .bodyNotAllowed)) { try request.check() }
        #expect(request.checkedURL == nil)
    }

    @Test func `A request keeps the checked URL when its limits or secretHeaders change`() throws {
        var request = try checked()
        request.limits.redirects = 1
        request.secretHeaders = []
        #expect(request.checkedURL != nil)
    }
}
