/// The statements that show a server what it asks for.
enum SecurityStatements {
    static func setting(_ requirement: Security.Requirement) -> [String] {
        var hasAuthorization = false
        return requirement.flatMap { scheme -> [String] in
            let name = Identifier.escaped(scheme.name)
            let isFirst = !hasAuthorization
            switch scheme.kind {
            case .token, .password, .header: hasAuthorization = true
            case .query, .cookie: break
            }
            switch scheme.kind {
            case .token, .password: return ["authorization = \(name)"]
            case .header(let key) where isFirst:
                return ["authorization = \(name).map { .header(\(Literal.string(key)), $0) }"]
            case .header(let key):
                return ["headers[\(Literal.string(key))] = \(name)", "secretHeaders.insert(\(Literal.string(key)))"]
            case .query(let key): return ["query[\(Literal.string(key))] = \(name)"]
            case .cookie(let key): return ["headers[\"Cookie\"] = \(name).map { \"\(Literal.escaped(key))=\\($0)\" }"]
            }
        }
    }

    /// The statements of a leaf that is unlike most: those that undo, and its own.
    static func replacing(_ usual: Security.Requirement, by requirement: Security.Requirement) -> [String] {
        let own = setting(requirement)
        let targets = setting(usual).filter { $0.contains(" = ") }.map { $0.prefix { $0 != " " } }
        return targets.filter { target in !own.contains { $0.hasPrefix("\(target) = ") } }.map { "\($0) = nil" } + own
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
