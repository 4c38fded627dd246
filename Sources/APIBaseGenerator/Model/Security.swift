/// What calls have to show, and how the document's class asks for it.
struct Security {
    struct Scheme: Hashable {
        enum Kind: Hashable {
            /// A token in the header Authorization: bearer, OAuth 2, OpenID Connect.
            case token
            case password
            case headerKey(String)
            case queryKey(String)
            case cookieKey(String)
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
    let usual: Requirement
    private let document: Document

    init(_ document: Document, _ outlines: [OperationOutline]) {
        self.document = document
        let schemes = Self.schemes(of: document)
        self.schemes = schemes
        var counts: [Requirement: Int] = [:]
        var order: [Requirement] = []
        for outline in outlines {
            let first = Self.alternatives(outline.node, document, schemes).first ?? []
            if counts[first] == nil { order.append(first) }
            counts[first, default: 0] += 1
        }
        let documents = Self.requirements(document.root["security"], document, schemes)?.first
        // Of equals the one that comes first: `max` would take the last.
        let common = order.reversed().max { counts[$0, default: 0] < counts[$1, default: 0] }
        usual = documents ?? common ?? []
    }

    /// What an operation has to show, if that is not the usual.
    func exception(for node: Node) -> Requirement? {
        let alternatives = Self.alternatives(node, document, schemes)
        return alternatives.contains(usual) ? nil : alternatives.first ?? []
    }

    private static func alternatives(_ node: Node, _ document: Document, _ schemes: [Scheme]) -> [Requirement] {
        requirements(node["security"] ?? document.root["security"], document, schemes) ?? [[]]
    }

    private static func requirements(_ node: Node?, _ document: Document, _ schemes: [Scheme]) -> [Requirement]? {
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

    private static func schemes(of document: Document) -> [Scheme] {
        var names = NameTable(taken: Self.taken)
        return (document.root["components"]?["securitySchemes"]?.members ?? []).compactMap { key, node in
            guard let node = document.resolved(node) else { return nil }
            guard let kind = kind(of: node) else {
                document.warnings.add(node.pointer, "a security scheme of this kind is left to your own class")
                return nil
            }
            let base = Identifier.member(key, fallback: "credentials")
            let name = names.take(names.contains(base) ? "\(base)Credentials" : base)
            return Scheme(key: key, name: name, kind: kind, documentation: node.text("description"))
        }
    }

    private static func kind(of node: Node) -> Scheme.Kind? {
        switch node.text("type") {
        case "oauth2", "openIdConnect": return .token
        case "http": return node.text("scheme")?.lowercased() == "bearer" ? .token : .password
        case "apiKey":
            guard let name = node.text("name"), !name.isEmpty else { return nil }
            switch node.text("in") {
            // Some documents describe a token as a key.
            case "header": return name.lowercased() == "authorization" ? .token : .headerKey(name)
            case "query": return .queryKey(name)
            case "cookie": return .cookieKey(name)
            default: return nil
            }
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
