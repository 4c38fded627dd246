import Basics

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
            let name = part.prefix { $0 != "=" && $0 != " " && $0 != "\t" }
            var parameter = Substring(part)
            let rest = part[name.endIndex...].drop { $0 == " " || $0 == "\t" }
            // `Digest realm="a"` begins a challenge; `realm="a"` and `realm = "a"` continue one.
            if !name.isEmpty, !rest.hasPrefix("=") {
                challenges.append(AuthenticationChallenge(scheme: name.lowercased()))
                parameter = rest
            }
            if !challenges.isEmpty, !parameter.isEmpty { challenges[challenges.count - 1].add(parameter) }
        }
        return challenges
    }

    private mutating func add(_ parameter: Substring) {
        guard let equals = parameter.firstIndex(of: "=") else { return }
        let name = parameter[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
        let value = parameter[parameter.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        let text: String? = value.hasPrefix("\"") ? value.withBytes { $0.quotedString(at: 0)?.text } : value
        guard let text, parameters?[name] == nil else { return parameters = nil }
        parameters?[name] = text
    }
}
