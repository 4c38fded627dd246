public import Foundation

/// Why an exchange failed, in which phase, and what the engine said.
public struct TransportError: Error, Sendable {
    /// The phase in which the exchange failed.
    public enum Phase: Sendable, Hashable {
        /// Nothing had been sent: the request was checked, or waited for its turn.
        case request
        /// The connection was being made.
        case connect
        /// The request was being sent.
        case send
        /// The response's status and headers were awaited.
        case head
        /// The response's body was being read.
        case body
        /// A redirect was being worked out.
        case redirect
    }

    /// The clock that ran out.
    public enum Clock: Sendable, Hashable {
        /// ``ExchangeLimits/connect``.
        case connect
        /// ``ExchangeLimits/idle``.
        case idle
        /// ``ExchangeLimits/total``.
        case total
    }

    /// A limit on bytes.
    public enum Limit: Sendable, Hashable {
        /// ``ExchangeLimits/responseBytes``.
        case responseBytes
        /// ``ExchangeLimits/headerBytes``.
        case headerBytes
    }

    /// The reason of the failure.
    public enum Reason: Sendable, Hashable {
        /// The request must not be sent; nothing of it was.
        case invalidRequest(InvalidRequest)
        /// The host has no address.
        case hostNotFound
        /// No connection could be made.
        case cannotConnect
        /// The connection ended before the response did. The server may have acted on the request.
        case connectionLost
        /// The secure connection could not be made: the certificate or the handshake was refused.
        case tls
        /// The clock ran out after so long.
        case timedOut(which: Clock, after: Duration)
        /// The response is bigger than the limit allows.
        case tooLarge(Limit, limit: Int)
        /// There was one more redirect than ``ExchangeLimits/redirects`` allows.
        case tooManyRedirects(limit: Int)
        /// A redirect led from https to http.
        case insecureRedirect
        /// A redirect led to something that must not be requested.
        case invalidRedirect(InvalidRequest)
        /// The body is a one-shot stream that was sent before.
        case bodyNotReplayable
        /// The body's stream or file has not as many bytes as declared.
        case bodyLength(declared: Int64, actual: Int64)
        /// The server's answer is not HTTP as the engine understands it, or could not be decompressed.
        case malformedResponse
        /// A setting of the session cannot be used: a file that is not there, or something libcurl refuses.
        case invalidConfiguration(setting: String)
        /// The session was closed before the exchange began.
        case sessionClosed
        /// More bytes arrived than were taken, and the engine cannot make the sender wait: more than
        /// ``ExchangeLimits/queuedBytes``.
        case bufferOverflow(limit: Int)
        /// Anything else; ``TransportError/underlying`` says what the engine reported.
        case engine
    }

    /// The phase in which the exchange failed.
    public let phase: Phase

    /// The reason of the failure.
    public let reason: Reason

    /// The URL of the hop that failed, without user name, password, fragment and values of the query. Nil if the
    /// request had no URL.
    public let url: URL?

    /// The engine's own error, without the URLs Foundation puts into it; nil if the engine did not fail.
    public let underlying: (any Error)?

    /// Makes the error of its values; `url` is redacted here.
    public init(phase: Phase, reason: Reason, url: URL?, underlying: (any Error)? = nil) {
        self.phase = phase
        self.reason = reason
        self.url = url?.redacted
        self.underlying = underlying
    }
}
