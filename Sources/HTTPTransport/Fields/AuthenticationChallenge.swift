import Basics
import Foundation

/// A challenge of a `WWW-Authenticate` field (RFC 9110, section 11.6.1).
package struct AuthenticationChallenge {
    /// The scheme in lower case.
    package let scheme: String
    /// The parameters by their names in lower case; `nil` if one is there twice, which is not allowed.
    package private(set) var parameters: [String: String]? = [:]

    /// The challenges of a field, which may have several, and several parameters in each.
    package static func all(in field: String) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        for part in field.parts(at: ",") {
            // By scalars, as everywhere in headers: a separator with a combining mark is another `Character`.
            let name = part.unicodeScalars.prefix { $0 != "=" && $0 != " " && $0 != "\t" }
            var parameter = part.unicodeScalars[...]
            let rest = parameter[name.endIndex...].drop { $0 == " " || $0 == "\t" }
            // `Digest realm="a"` begins a challenge; `realm="a"` and `realm = "a"` continue one.
            if !name.isEmpty, rest.first != "=" {
                challenges.append(AuthenticationChallenge(scheme: String(name).lowercased()))
                parameter = rest
            }
            if !challenges.isEmpty, !parameter.isEmpty { challenges[challenges.count - 1].add(parameter) }
        }
        return challenges
    }

    private mutating func add(_ parameter: Substring.UnicodeScalarView) {
        guard let equals = parameter.firstIndex(of: "=") else { return }
        let name = String(parameter[..<equals]).trimmingCharacters(in: .whitespaces).lowercased()
        let value = String(parameter[equals...].dropFirst()).trimmingCharacters(in: .whitespaces)
        let text: String? =
            value.utf8.first == UInt8(ascii: "\"") ? value.withBytes { $0.quotedString(at: 0)?.text } : value
        guard let text, parameters?[name] == nil else { return parameters = nil }
        parameters?[name] = text
    }
}
