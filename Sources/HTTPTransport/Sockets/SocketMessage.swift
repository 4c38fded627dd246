public import Foundation

/// A message of a WebSocket (RFC 6455, section 5.6).
public enum SocketMessage: Sendable, Hashable, Codable {
    /// A text.
    case text(String)
    /// Bytes.
    case data(Data)
}
