/// The statements that show a server what it asks for.
struct SecurityStatements {
    /// A member of the class as it is written where it is set.
    var member: (String) -> String = { Identifier.escaped($0) }

    /// An assignment, or a call without a target.
    private typealias Statement = (target: String?, value: String)

    func setting(_ requirement: Security.Requirement) -> [String] { statements(requirement).map(text) }

    /// The statements of a leaf that is unlike most: those that undo, and its own.
    func replacing(_ usual: Security.Requirement, by requirement: Security.Requirement) -> [String] {
        let own = statements(requirement)
        let undone = statements(usual).compactMap(\.target).filter { target in !own.contains { $0.target == target } }
        return undone.map { "\($0) = nil" } + own.map(text)
    }

    private func text(_ statement: Statement) -> String {
        statement.target.map { "\($0) = \(statement.value)" } ?? statement.value
    }

    private func statements(_ requirement: Security.Requirement) -> [Statement] {
        var hasAuthorization = false
        // A key that goes with a token is a header of its own.
        let hasToken = requirement.schemes.contains { $0.kind == .token || $0.kind == .password }
        var cookies: [String] = []
        var statements = requirement.schemes.flatMap { scheme -> [Statement] in
            let name = member(scheme.name)
            let isKey = scheme.kind != .token && scheme.kind != .password
            if scheme.kind.isAuthorization, !hasAuthorization, !(isKey && hasToken) {
                hasAuthorization = true
                let values = ([scheme] + requirement.others).map(authorization)
                return [(member("authorization"), values.joined(separator: " ?? "))]
            }
            switch scheme.kind {
            case .token, .password: return [(member("authorization"), name)]
            case .header(let key):
                let key = Literal.string(key)
                return [("\(member("headers"))[\(key)]", name), (nil, "\(member("secretHeaders")).insert(\(key))")]
            case .query(let key): return [("\(member("query"))[\(Literal.string(key))]", name)]
            case .cookie(let key):
                cookies.append("\(name).map { \"\(Literal.escaped(key))=\\($0)\" }")
                return []
            }
        }
        if let first = cookies.first {
            let list = "([\(cookies.joined(separator: ", "))] as [String?]).compactMap(\\.self)"
            let value = cookies.count == 1 ? first : "\(list).joined(separator: \"; \")"
            statements.append(("\(member("headers"))[\"Cookie\"]", value))
        }
        return statements
    }

    /// The value of `authorization` for a scheme.
    private func authorization(_ scheme: Security.Scheme) -> String {
        let name = member(scheme.name)
        guard case .header(let key) = scheme.kind else { return name }
        return "\(name).map { .header(\(Literal.string(key)), $0) }"
    }
}

extension Security.Scheme {
    /// The property of the document's class.
    var declaration: String {
        let type = kind == .token || kind == .password ? "Authorization" : "String"
        return "var \(Identifier.escaped(name)): \(type)? { nil }"
    }

    var comment: String {
        let value =
            switch kind {
            case .token: "a token, `.bearer(…)`, or `.tokens(…)` with a source that renews it"
            case .password: "a name and a password, `.basic(user:password:)` or `.digest(user:password:)`"
            case .header(let key): "a key, sent in the header \(Comment.line(key, width: 80))"
            case .query(let key): "a key, sent in the query as \(Comment.line(key, width: 80))"
            case .cookie(let key): "a key, sent in the cookie \(Comment.line(key, width: 80))"
            }
        let own = documentation.map { " \(Comment.line($0, width: 200))" } ?? ""
        return "What calls show: \(value). Override it in your class.\(own)"
    }
}
