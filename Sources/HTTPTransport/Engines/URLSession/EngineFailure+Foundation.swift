import Foundation

extension EngineFailure {
    /// Translates an error of `URLSession`. On Linux most errors have the code -1 and a message of libcurl.
    init(_ error: any Error, hasHead: Bool, limits: ExchangeRequest.Limits) {
        let reason: TransportError.Reason =
            switch (error as? URLError)?.code {
            case .cannotFindHost?, .dnsLookupFailed?: .hostNotFound
            case .cannotConnectToHost?, .notConnectedToInternet?: .cannotConnect
            case .networkConnectionLost?: .connectionLost
            case .timedOut?: .timedOut(which: .idle, after: limits.idle ?? .seconds(86_400))
            case .secureConnectionFailed?, .serverCertificateHasBadDate?, .serverCertificateUntrusted?,
                .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?, .clientCertificateRejected?,
                .clientCertificateRequired?:
                .tls
            case .badServerResponse?, .cannotParseResponse?, .cannotDecodeContentData?, .cannotDecodeRawData?:
                Self.reason(in: error.localizedDescription) ?? .malformedResponse
            default: Self.reason(in: error.localizedDescription) ?? .engine
            }
        self.init(reason: reason, underlying: error.withoutURLs)
    }

    /// Parts of libcurl's messages (lib/strerror.c and its reports of failures), and their reasons.
    private static let words: [(String, TransportError.Reason)] = [
        ("ssl", .tls), ("certificate", .tls), ("tls", .tls),
        ("empty reply", .connectionLost), ("recv failure", .connectionLost), ("send failure", .connectionLost),
        ("transfer closed", .connectionLost), ("connection reset", .connectionLost), ("broken pipe", .connectionLost),
        ("failed writing header", .malformedResponse), ("http/0.9", .malformedResponse),
        ("weird server reply", .malformedResponse), ("unsupported http", .malformedResponse),
        ("content encoding", .malformedResponse), ("content unencoding", .malformedResponse),
        ("chunk", .malformedResponse), ("header", .malformedResponse), ("content-length", .malformedResponse),
        ("invalid", .malformedResponse),
        ("could not resolve", .hostNotFound), ("failed to connect", .cannotConnect),
        ("couldn't connect", .cannotConnect),
    ]

    private static func reason(in text: String) -> TransportError.Reason? {
        let text = text.lowercased()
        return words.first { text.contains($0.0) }?.1
    }
}

extension Error {
    /// The error without the failing URL, whose query may hold secrets.
    var withoutURLs: any Error {
        guard let error = self as? URLError else { return self }
        let information: [String: Any] = [NSLocalizedDescriptionKey: error.localizedDescription]
        return URLError(error.code, userInfo: information)
    }

    /// The error with another message, and nothing else that could show the text of the old one; the same if the
    /// message stays.
    package func replacingMessage(by replace: (String) -> String) -> any Error {
        if let error = self as? any EngineError { return error.replacingMessage(replace) }
        let message = replace(localizedDescription)
        guard message != localizedDescription || replace("\(self)") != "\(self)" else { return self }
        let information: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let error = self as? URLError { return URLError(error.code, userInfo: information) }
        let error = self as NSError
        return NSError(domain: error.domain, code: error.code, userInfo: information)
    }
}

/// The error of an engine with a message of its own.
protocol EngineError: Error {
    func replacingMessage(_ replace: (String) -> String) -> Self
}
