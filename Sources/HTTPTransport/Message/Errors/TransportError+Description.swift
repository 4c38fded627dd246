public import Foundation

extension TransportError: LocalizedError, CustomStringConvertible {
    /// One sentence: what went wrong, and the redacted URL.
    public var errorDescription: String? { description }

    /// One sentence: what went wrong, the redacted URL, and the engine's words if it failed.
    public var description: String {
        var sentence = reason.description
        if let url { sentence += " (\(url.absoluteString))" }
        if let underlying { sentence += ": \(underlying.localizedDescription)" }
        return sentence
    }
}

extension TransportError.Reason: CustomStringConvertible {
    /// The error in words.
    public var description: String {
        switch self {
        case .invalidRequest(let problem): "The request cannot be sent: \(problem.localizedDescription)"
        case .hostNotFound: "The host was not found"
        case .cannotConnect: "No connection could be made"
        case .connectionLost: "The connection was lost"
        case .tls: "No secure connection could be made"
        case .timedOut(.connect, let limit): "The connection was not made within \(limit)"
        case .timedOut(.idle, let limit): "Nothing moved for \(limit)"
        case .timedOut(.total, let limit): "The exchange was not done within \(limit)"
        case .tooLarge(.responseBytes, let limit): "The body is over the limit responseBytes of \(limit) bytes"
        case .tooLarge(.headerBytes, let limit): "The headers are over the limit headerBytes of \(limit) bytes"
        case .tooManyRedirects(let limit): "There were more than \(limit) redirects"
        case .insecureRedirect: "A redirect from https to http was refused"
        case .invalidRedirect(let problem): "A redirect was refused: \(problem.localizedDescription)"
        case .bodyNotReplayable: "The body is a one-shot stream that was sent before"
        case .bodyLength(let declared, let actual): "The body has \(actual) bytes where \(declared) were declared"
        case .malformedResponse: "The server's answer is not proper HTTP"
        case .invalidConfiguration(let setting): "The session's setting \(setting) cannot be used"
        case .sessionClosed: "The session is closed"
        case .bufferOverflow(let limit): "More than \(limit) bytes (limit queuedBytes) arrived that nobody took"
        case .engine: "The exchange failed"
        }
    }
}
