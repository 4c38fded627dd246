/// What calls have to show, and how the document's class asks for it.
struct Security {
    struct Scheme: Hashable {
        enum Kind: Hashable {
            /// A token in the header Authorization: bearer, OAuth 2, OpenID Connect.
            case token
            case password
            case header(String), query(String), cookie(String)
        }

        let key: String
        /// The property of the document's class that gives it.
        let name: String
        let kind: Kind
        let documentation: String?
    }

    /// The schemes of which a call needs all; none if it needs nothing.
    typealias Requirement = [Scheme]

    let schemes: [Scheme]
    /// What most operations ask for.
    private(set) var usual: Requirement = []
    private let document: Document

    init(_ document: Document, _ outlines: [OperationOutline]) {
        self.document = document
        var names = NameTable(taken: Self.taken)
        schemes = (document.root["components"]?["securitySchemes"]?.members ?? []).compactMap { key, node in
            guard let node = document.resolved(node) else { return nil }
            guard let kind = Self.kind(of: node) else {
                document.warnings.add(node.pointer, "a security scheme of this kind is left to your own class")
                return nil
            }
            let name = Identifier.member(key, fallback: "credentials")
            let free = names.take(names.contains(name) ? "\(name)Credentials" : name)
            return Scheme(key: key, name: free, kind: kind, documentation: node.text("description"))
        }
        let groups = outlines.compactMap { alternatives(of: $0.node).first }.grouped { $0 }
        let most = groups.map(\.elements.count).max()
        usual = requirements(document.root["security"])?.first ?? groups.first { $0.elements.count == most }?.key ?? []
    }

    /// What an operation has to show, if that is not the usual.
    func exception(for node: Node) -> Requirement? {
        let alternatives = alternatives(of: node)
        return alternatives.contains(usual) ? nil : alternatives.first ?? []
    }

    private func alternatives(of node: Node) -> [Requirement] {
        requirements(node["security"] ?? document.root["security"]) ?? [[]]
    }

    private func requirements(_ node: Node?) -> [Requirement]? {
        guard let node else { return nil }
        if node.elements.isEmpty { return [[]] }
        return node.elements.map { element in
            element.members.compactMap { name, place in
                let scheme = schemes.first { $0.key == name }
                if scheme == nil { document.warnings.add(place.pointer, "no usable security scheme “\(name)”") }
                return scheme
            }
        }
    }

    private static func kind(of node: Node) -> Scheme.Kind? {
        let name = node.text("name") ?? ""
        switch (node.text("type"), node.text("in")) {
        case ("oauth2", _), ("openIdConnect", _): return .token
        case ("http", _): return node.text("scheme")?.lowercased() == "bearer" ? .token : .password
        // Some documents describe a token as a key.
        case ("apiKey", "header") where name.lowercased() == "authorization": return .token
        case ("apiKey", "header") where !name.isEmpty: return .header(name)
        case ("apiKey", "query") where !name.isEmpty: return .query(name)
        case ("apiKey", "cookie") where !name.isEmpty: return .cookie(name)
        default: return nil
        }
    }

    /// Names that the class above has.
    private static let taken: Set<String> = [
        "accepts", "acceptedTypes", "authorization", "baseURL", "body", "bodyStream", "cache", "configure", "content",
        "contentType", "curlText", "decode", "decoded", "decoder", "download", "encoder", "error", "gate", "headers",
        "idempotencyKey", "intercept", "json", "lifetime", "limits", "method", "on", "path", "query", "queryItems",
        "redirect", "report", "request", "response", "retry", "session", "sharing", "stub", "timeout", "with", "self",
        "init",
    ]
}
