import HTTPTransport

/// A way in which a network fails. The call ends with the ``/HTTPTransport/TransportError`` that the real one gives.
public enum StubFault: Sendable, Hashable {
    /// Nobody listens at the address.
    case connectionRefused
    /// The host's name has no address.
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

    /// Whether the fault comes before a connection stands.
    var isBeforeConnection: Bool { self == .connectionRefused || self == .hostNotFound || self == .tls }
}
