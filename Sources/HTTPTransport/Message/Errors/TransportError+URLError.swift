public import Foundation

extension TransportError {
    /// The error as `URLError` says it, with the redacted URL; the engine's own one if there is no better code.
    public var urlError: URLError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let url {
            information[NSURLErrorFailingURLErrorKey] = url
        }
        return URLError(code, userInfo: information)
    }

    private var code: URLError.Code {
        switch reason {
        case .invalidRequest(let problem):
            switch problem.problem {
            case .unsupportedScheme: .unsupportedURL
            case .unreadableFile: .cannotOpenFile
            case .unreadableStream: .requestBodyStreamExhausted
            default: problem.part == .url ? .badURL : .dataNotAllowed
            }
        case .hostNotFound: .cannotFindHost
        case .cannotConnect: .cannotConnectToHost
        case .connectionLost: .networkConnectionLost
        case .tls: .secureConnectionFailed
        case .timedOut: .timedOut
        case .tooLarge, .bufferOverflow: .dataLengthExceedsMaximum
        case .tooManyRedirects: .httpTooManyRedirects
        case .insecureRedirect, .invalidRedirect: .redirectToNonExistentLocation
        case .bodyNotReplayable, .bodyLength: .requestBodyStreamExhausted
        case .malformedResponse: .badServerResponse
        case .invalidConfiguration: .cannotLoadFromNetwork
        case .sessionClosed: .cancelled
        case .engine: (underlying as? URLError)?.code ?? .unknown
        }
    }
}
