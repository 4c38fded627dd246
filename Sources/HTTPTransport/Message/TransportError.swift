public import Foundation

/// The error of an exchange, which is a request with its redirects: the phase, the reason, and the engine's own error.
public struct TransportError: Error, Sendable {
    /// The phase in which the exchange failed.
    public enum Phase: Sendable, Hashable {
        /// The request was checked, or waited for its turn. Nothing had been sent.
        case request
        /// The call waited for its credentials: a token, or the sign-in of a user. An exchange has no such phase.
        case credentials
        /// The connection was being made.
        case connect
        /// The request was being sent.
        case send
        /// The request had been sent, and status and headers had not arrived.
        case head
        /// The response's body was being read.
        case body
        /// A redirect was being decided about.
        case redirect
    }

    /// The time limit that was exceeded.
    public enum Clock: Sendable, Hashable {
        /// ``ExchangeRequest/Limits/connect``.
        case connect
        /// ``ExchangeRequest/Limits/idle``.
        case idle
        /// ``ExchangeRequest/Limits/total``.
        case total
    }

    /// A limit on bytes.
    public enum Limit: Sendable, Hashable {
        /// ``ExchangeRequest/Limits/responseBytes``.
        case responseBytes
        /// ``ExchangeRequest/Limits/headerBytes``.
        case headerBytes
        /// libcurl's own limit on a line of the head, which no setting changes.
        case headerLine
    }

    /// The reason for the failure.
    public enum Reason: Sendable, Hashable {
        /// The request is invalid. Nothing was sent.
        case invalidRequest(TransportError.InvalidRequest)
        /// The host has no address.
        case hostNotFound
        /// No connection could be made.
        case cannotConnect
        /// ``Reach`` does not allow the address of the host, of the proxy or of the redirect. Nothing was sent to it.
        ///
        /// The error does not name the address, because the one who gave the URL may read it, and would learn about the
        /// network behind.
        case addressNotAllowed
        /// The connection ended before the response. The server may have acted on the request.
        case connectionLost
        /// No secure connection could be made: the certificate or the handshake was refused.
        case tls
        /// The time limit was exceeded.
        case timedOut(which: Clock, after: Duration)
        /// The response is larger than the limit.
        case tooLarge(Limit, limit: Int)
        /// There were more redirects than ``ExchangeRequest/Limits/redirects`` allows.
        case tooManyRedirects(limit: Int)
        /// A redirect led from https to http.
        case insecureRedirect
        /// A redirect led to an invalid URL.
        case invalidRedirect(TransportError.InvalidRequest)
        /// The body is a one-shot stream that was sent before.
        case bodyNotReplayable
        /// The body's stream or file does not have the declared number of bytes.
        case bodyLength(declared: Int64, actual: Int64)
        /// The response is not valid HTTP, or could not be decompressed.
        case malformedResponse
        /// A setting of the session cannot be used: a file is missing, or libcurl refuses the value.
        case invalidConfiguration(setting: String)
        /// The session was closed before the exchange began.
        case sessionClosed
        /// More than ``ExchangeRequest/Limits/queuedBytes`` wait for demand, and the engine cannot pause the sender.
        case bufferOverflow(limit: Int)
        /// Any other failure; ``TransportError/underlying`` is the engine's error.
        case engine
    }

    /// The phase in which the exchange failed.
    public let phase: Phase

    /// The reason for the failure.
    public let reason: Reason

    /// The URL of the request or redirect that failed, without user name, password, fragment and values of the query.
    /// Nil if the request had no URL.
    public let url: URL?

    /// The engine's own error, without the URLs that Foundation adds; nil if the engine did not fail.
    public let underlying: (any Error)?

    /// Creates an error; `url` is redacted here.
    public init(phase: Phase, reason: Reason, url: URL?, underlying: (any Error)? = nil) {
        self.phase = phase
        self.reason = reason
        self.url = url?.redacted
        self.underlying = underlying
    }
}

extension TransportError: LocalizedError, CustomStringConvertible {
    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// One sentence with the reason, the redacted URL, and the message of the engine if it failed.
    public var description: String {
        var sentence =
            switch (phase, reason) {
            case (.request, .timedOut(.total, let limit)): "The request was not sent within \(limit)"
            case (.credentials, .timedOut(.total, let limit)):
                "There were no credentials within \(limit): the call waited for a token or a sign-in"
            default: reason.description
            }
        if let url { sentence += " (\(url.absoluteString))" }
        if let underlying { sentence += ": \(underlying.localizedDescription)" }
        return sentence
    }
}

extension TransportError.Reason {
    /// Whether no connection could be made.
    var isOfConnecting: Bool {
        switch self {
        case .hostNotFound, .cannotConnect, .addressNotAllowed, .tls, .timedOut(which: .connect, _): true
        default: false
        }
    }
}

extension TransportError.Reason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .invalidRequest(let problem): "The request cannot be sent: \(problem.localizedDescription)"
        case .hostNotFound: "The host was not found"
        case .cannotConnect: "No connection could be made"
        case .addressNotAllowed: "The address is not one that may be reached"
        case .connectionLost: "The connection was lost"
        case .tls: "No secure connection could be made"
        case .timedOut(.connect, let limit): "The connection was not made within \(limit)"
        case .timedOut(.idle, let limit): "Nothing moved for \(limit)"
        case .timedOut(.total, let limit): "The exchange was not done within \(limit)"
        case .tooLarge(.responseBytes, let limit): "The body is over the limit responseBytes of \(limit) bytes"
        case .tooLarge(.headerBytes, let limit): "The headers are over the limit headerBytes of \(limit) bytes"
        case .tooLarge(.headerLine, let limit): "A header line is over libcurl's own limit of \(limit) bytes"
        case .tooManyRedirects(let limit): "There were more than \(limit) redirects"
        case .insecureRedirect: "A redirect from https to http was refused"
        case .invalidRedirect(let problem): "A redirect was refused: \(problem.localizedDescription)"
        case .bodyNotReplayable: "The body is a one-shot stream that was sent before"
        case .bodyLength(let declared, let actual): "The body has \(actual) bytes where \(declared) were declared"
        case .malformedResponse: "The server's answer is not proper HTTP"
        case .invalidConfiguration(let setting): "The session's setting \(setting) cannot be used"
        case .sessionClosed: "The session is closed"
        case .bufferOverflow(let limit): "More than \(limit) bytes (limit queuedBytes) arrived without demand"
        case .engine: "The exchange failed"
        }
    }
}

/// The failure of an engine, from which an exchange makes its ``TransportError``.
package struct EngineFailure: Error {
    let reason: TransportError.Reason
    let underlying: (any Error)?

    /// - Parameters:
    ///   - reason: The reason for the caller.
    ///   - underlying: The engine's own error, without secrets.
    package init(reason: TransportError.Reason, underlying: (any Error)? = nil) {
        self.reason = reason
        self.underlying = underlying
    }
}

/// An error that a stub was given, on its way through a session: the ``TransportError/underlying`` of an exchange that
/// never reached a network. `APIBase` unwraps it.
package struct InjectedFailure: LocalizedError {
    package let error: any Error

    package init(_ error: any Error) {
        self.error = error
    }

    package var errorDescription: String? { error.localizedDescription }
}
