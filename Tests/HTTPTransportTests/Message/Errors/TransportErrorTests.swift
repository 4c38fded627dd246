import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct TransportErrorTests {
    @Test func theSentenceSaysWhatWhereAndWhy() {
        let underlying = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "the engine's words"])
        let error = TransportError(
            phase: .head,
            reason: .connectionLost,
            url: URL(string: "http://h/p?a=b"),
            underlying: underlying
        )
        #expect("\(error)" == "The connection was lost (http://h/p?a=redacted): the engine's words")
        let short = TransportError(phase: .head, reason: .timedOut(which: .idle, after: .milliseconds(50)), url: nil)
        #expect(short.localizedDescription == "Nothing moved for 0.05 seconds")
    }

    @Test(arguments: [
        (TransportError.Reason.hostNotFound, URLError.Code.cannotFindHost), (.cannotConnect, .cannotConnectToHost),
        (.connectionLost, .networkConnectionLost), (.tls, .secureConnectionFailed),
        (.timedOut(which: .total, after: .zero), .timedOut),
        (.tooLarge(.headerBytes, limit: 1), .dataLengthExceedsMaximum),
        (.tooManyRedirects(limit: 1), .httpTooManyRedirects), (.malformedResponse, .badServerResponse),
        (.invalidRequest(InvalidRequest(.url, .badHost)), .badURL), (.engine, .callIsActive),
        (.invalidRequest(InvalidRequest(.url, .unsupportedScheme)), .unsupportedURL),
        (.invalidRequest(InvalidRequest(.method, .notAToken)), .dataNotAllowed),
    ])
    func everyReasonHasACode(reason: TransportError.Reason, code: URLError.Code) {
        let error = TransportError(
            phase: .head,
            reason: reason,
            url: URL(string: "http://u@h/"),
            underlying: URLError(.callIsActive)
        )
        #expect(error.urlError.code == code)
        #expect(error.urlError.localizedDescription == error.description)
        #expect(error.urlError.userInfo[NSURLErrorFailingURLErrorKey] as? URL == URL(string: "http://h/"))
    }
}
