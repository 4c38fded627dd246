import HTTPTransport

/// A way in which a network fails. The call ends with the same ``/HTTPTransport/TransportError`` as on a real network.
public enum StubFault: Sendable, Hashable {
    /// The address accepts no connections.
    case connectionRefused
    /// The host name has no address.
    case hostNotFound
    /// The certificate or the handshake is refused.
    case tls
    /// The connection ends before the response begins. The server may have acted on the request.
    case connectionLost
    /// The response is not HTTP.
    case malformedResponse

    var reason: TransportError.Reason {
        switch self {
        case .connectionRefused: .cannotConnect
        case .hostNotFound: .hostNotFound
        case .tls: .tls
        case .connectionLost: .connectionLost
        case .malformedResponse: .malformedResponse
        }
    }

    /// Whether the fault happens before the connection is established.
    var isBeforeConnection: Bool {
        switch self {
        case .connectionRefused, .hostNotFound, .tls: true
        case .connectionLost, .malformedResponse: false
        }
    }
}
