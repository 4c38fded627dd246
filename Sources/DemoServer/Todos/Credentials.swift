import Basics
import Foundation

/// The credentials in the `Authorization` field of a request (RFC 9110, section 11.6.2).
enum Credentials: Equatable {
    case basic(name: String, password: String)
    case bearer(token: String)

    /// Nil where there is none, more than one, or one that cannot be read.
    init?(_ request: ServerRequest) {
        let values = request.headers.values(for: "Authorization")
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let secret = parts[1].trimmingBlanks()
        switch parts[0].lowercased() {
        case "basic":
            // The name ends at the first colon; the password may hold more of them (RFC 7617, section 2).
            guard let data = Data(base64Encoded: secret), let text = String(valid: data),
                let colon = text.firstIndex(of: ":")
            else { return nil }
            self = .basic(name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        case "bearer": self = .bearer(token: secret)
        default: return nil
        }
    }
}
