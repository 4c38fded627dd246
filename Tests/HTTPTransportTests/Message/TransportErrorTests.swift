import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct TransportErrorTests {
    @Test func `An error message has the reason, the redacted URL and the underlying message`() {
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
}
