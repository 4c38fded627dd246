/// Writes the class that all leaves inherit from, and the one between that is written once.
struct DocumentWriter {
    let model: APIModel
    let access: String

    private var isPublic: Bool { !access.isEmpty }
    private var openAccess: String { isPublic ? "open " : "" }
    private var importLine: String { isPublic ? "public import APIBaseKit" : "import APIBaseKit" }

    /// `PetstoreDocument.swift`.
    func document() -> String {
        var text = SwiftText()
        text.line(importLine)
        text.line("")
        let title = Comment.line(model.document.title, width: 80)
        text.comment([title, model.document.version, "as its document says."].filter { !$0.isEmpty }.joined(separator: ", "))
        text.line("///")
        text.comment("`\(model.name)API` is between this class and those of the calls: what it overrides holds for all.")
        text.block("\(openAccess)class \(model.name)Document: JSONAPI") { text in
            if let baseURL = model.baseURL {
                text.line("private static let server = URL(string: \(Literal.string(baseURL)))")
                text.line("")
                text.line("/// The first server of the document.")
                text.line("\(openAccess)override class var baseURL: URL? { server }")
            }
            for scheme in model.security.schemes {
                text.gap()
                text.comment(scheme.comment)
                text.line("\(openAccess)var \(Identifier.escaped(scheme.name)): \(scheme.type)? { nil }")
            }
            text.gap()
            text.line("/// Sets the format of dates, and what calls have to show.")
            text.block("\(openAccess)override func configure()") { text in
                text.line("super.configure()")
                text.line("decoder.dateDecodingStrategy = .rfc3339")
                text.line("encoder.dateEncodingStrategy = .rfc3339")
                for statement in SecurityStatements.setting(model.security.usual) { text.line(statement) }
            }
        }
        writeFailures(to: &text)
        return text.text
    }

    private func writeFailures(to text: inout SwiftText) {
        guard !model.failures.isEmpty else { return }
        text.gap()
        text.block("extension HTTPFailure") { text in
            for (property, type) in model.failures {
                text.gap()
                text.line("/// The failure as the document describes it; `nil` if the reply is another one.")
                text.braced(
                    "\(access)var \(property): \(type.text)?",
                    "try? decode(\(type.text).self)"
                )
            }
        }
    }

    /// `PetstoreAPI.swift`, which is the user's from then on.
    func ownClass() -> String {
        var text = SwiftText()
        text.line("import APIBaseKit")
        text.line("")
        text.line("/// What all calls of this API share. Yours: `apibase generate` writes this file once, and never again.")
        if model.baseURL != nil {
            text.line("\(openAccess)class \(model.name)API: \(model.name)Document {}")
        } else {
            text.block("\(openAccess)class \(model.name)API: \(model.name)Document") { text in
                text.line("// The document names no server.")
                text.line("// \(openAccess)override class var baseURL: URL? { URL(string: \"https://…\") }")
            }
        }
        return text.text
    }
}

/// The statements that show a server what it asks for.
enum SecurityStatements {
    static func setting(_ requirement: Security.Requirement) -> [String] {
        var statements: [String] = []
        var hasAuthorization = false
        for scheme in requirement {
            let name = Identifier.escaped(scheme.name)
            switch scheme.kind {
            case .token, .password:
                statements.append("authorization = \(name)")
                hasAuthorization = true
            case .headerKey(let header) where !hasAuthorization:
                statements.append("authorization = \(name).map { .header(\(Literal.string(header)), $0) }")
                hasAuthorization = true
            case .headerKey(let header):
                statements.append("headers[\(Literal.string(header))] = \(name)")
                statements.append("secretHeaders.insert(\(Literal.string(header)))")
            case .queryKey(let key): statements.append("query[\(Literal.string(key))] = \(name)")
            case .cookieKey(let key):
                statements.append("headers[\"Cookie\"] = \(name).map { \"\(Literal.escaped(key))=\\($0)\" }")
            }
        }
        return statements
    }

    /// The statements of a leaf that is unlike most: those that undo, and its own.
    static func replacing(_ usual: Security.Requirement, by requirement: Security.Requirement) -> [String] {
        let own = setting(requirement)
        let undone = setting(usual).compactMap { statement -> String? in
            guard let target = statement.firstRange(of: " = ").map({ statement[..<$0.lowerBound] }) else { return nil }
            return own.contains { $0.hasPrefix("\(target) = ") } ? nil : "\(target) = nil"
        }
        return undone + own
    }
}

extension Security.Scheme {
    fileprivate var type: String {
        switch kind {
        case .token, .password: "Authorization"
        case .headerKey, .queryKey, .cookieKey: "String"
        }
    }

    fileprivate var comment: String {
        let own = documentation.map { " \(Comment.line($0, width: 200))" } ?? ""
        let value =
            switch kind {
            case .token: "a token, `.bearer(…)`, or `.tokens(…)` with a source that renews it"
            case .password: "a name and a password, `.basic(user:password:)` or `.digest(user:password:)`"
            case .headerKey(let header): "a key, sent in the header \(Comment.line(header, width: 80))"
            case .queryKey(let key): "a key, sent in the query as \(Comment.line(key, width: 80))"
            case .cookieKey(let key): "a key, sent in the cookie \(Comment.line(key, width: 80))"
            }
        return "What calls show: \(value). Override it in your class.\(own)"
    }
}
