import HTTPTransport

extension Error {
    /// Whether the network or the server was in the way, so that the next attempt may go better.
    var isTransient: Bool {
        switch self {
        case let error as TransportError: error.reason.isTransient
        case let error as URLError: error.code.isTransient
        default: false
        }
    }
}

extension TransportError.Reason {
    fileprivate var isTransient: Bool {
        switch self {
        case .hostNotFound, .cannotConnect, .connectionLost, .timedOut: true
        default: false
        }
    }
}

extension URLError.Code {
    /// For stubs and sessions that fail as Foundation does.
    fileprivate var isTransient: Bool {
        switch self {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .notConnectedToInternet:
            true
        default: false
        }
    }
}
