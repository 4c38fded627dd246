import Foundation
import Testing

@testable import HTTPTransport

/// The check of a head, whichever engine has delivered it.
@Suite struct ResponseHeadTests {
    private func passes(_ status: Int, _ headers: HTTPHeaders) -> Bool {
        (try? ResponseHead(statusCode: status, headers: headers, url: URL(fileURLWithPath: "/")).check()) != nil
    }

    @Test(
        arguments: [
            [:], ["Content-Length": "0"], ["Content-Length": "4", "content-length": "4"], ["Content-Length": "4, 4"],
            ["Content-Length": " 4\t"], ["Content-Length": "004, 4"], ["Content-Length": "9223372036854775807"],
            ["X-A": "\u{1B}\u{7F}\u{E9}"], ["X-A": ""],
        ] as [HTTPHeaders]
    ) func `A response head with one unambiguous Content-Length is valid`(headers: HTTPHeaders) {
        #expect(passes(200, headers))
    }

    @Test(
        arguments: [
            ["Content-Length": ""], ["Content-Length": "+4"], ["Content-Length": "-4"], ["Content-Length": "0x4"],
            ["Content-Length": "4 4"], ["Content-Length": "4.0"], ["Content-Length": "four"], ["Content-Length": "4,"],
            ["Content-Length": "4, 5"], ["Content-Length": "4", "CONTENT-LENGTH": "5"],
            ["Content-Length": "9223372036854775808"], ["Content-Length": "\u{664}"],
            ["X-A": "a\rb"], ["X-A": "a\nb"], ["X-A": "a\r\nb"], ["X-A": "a\u{0}b"],
        ] as [HTTPHeaders]
    ) func `A response head with a bad Content-Length or a line break in a value is invalid`(headers: HTTPHeaders) {
        #expect(!passes(200, headers))
    }

    @Test(arguments: [(100, true), (999, true), (99, false), (1_000, false), (0, false), (-200, false)])
    func `A response head is valid only if its status has three digits`(status: Int, isRight: Bool) {
        #expect(passes(status, [:]) == isRight)
    }
}
