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

    @Test func `ExchangeRequest.check() stores the text and origin of the checked URL`() throws {
        let request = try checked()
        #expect(request.checkedURL != nil)
        #expect(request.checkedURL?.text == "https://h:8443/a?b=c")
        #expect(request.checkedURL?.origin == Origin(scheme: "https", host: "h", port: 8443))
    }

    @Test func `Changing the headers or body of a checked request makes check() validate it again`() throws {
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

    @Test func `Changing limits or secretHeaders of a checked request keeps its stored checked URL`() throws {
        var request = try checked()
        request.limits.redirects = 1
        request.secretHeaders = []
        #expect(request.checkedURL != nil)
    }
}
