import Foundation
import HTTPTransport
import Testing

@Suite struct InvalidRequestTests {
    @Test func theSentenceNamesTheHeaderAndNotItsValue() {
        let error = TransportError.InvalidRequest(.headerValue(name: "Authorization"), .forbiddenByte(0x0A))
        let sentence = "The value of the header Authorization contains the byte 0xa, which may not be sent there."
        #expect(error.localizedDescription == sentence)
    }

    @Test func aNameIsShownEscaped() {
        let error = TransportError.InvalidRequest(.headerName("X\r\nY"), .notAToken)
        #expect(error.localizedDescription.hasPrefix(#"The header name "X\r\nY" is not a token"#))
    }
}
