import Foundation
import HTTPTransport
import Testing

@Suite struct InvalidRequestTests {
    @Test func `The error for a forbidden byte in a header value names the header, not the value`() {
        let error = TransportError.InvalidRequest(.headerValue(name: "Authorization"), .forbiddenByte(0x0A))
        let sentence = "The value of the header Authorization contains the byte 0xa, which may not be sent there."
        #expect(error.localizedDescription == sentence)
    }

    @Test func `The error for an invalid header name shows its line breaks escaped`() {
        let error = TransportError.InvalidRequest(.headerName("X\r\nY"), .notAToken)
        #expect(error.localizedDescription.hasPrefix(#"The header name "X\r\nY" is not a token"#))
    }
}
