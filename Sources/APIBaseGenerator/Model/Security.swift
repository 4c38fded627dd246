import Basics
import OpenAPIDocument

/// The credentials that calls need, and the code with which the document's class asks for them.
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
    struct Requirement: Hashable {
        var schemes: [Scheme] = []
        /// Those that will do in place of the only scheme, in their order.
        var others: [Scheme] = []
    }

    let schemes: [Scheme]
    /// The credentials that most operations ask for.
    private(set) var usual = Requirement()
    private let document: Document
    private let byKey: [String: Scheme]
    private var ofDocument: [[Scheme]]?

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
            let isTaken = names.contains(name) || ReservedNames.properties.contains(name)
            let free = names.take(isTaken ? "\(name)Credentials" : name)
            return Scheme(key: key, name: free, kind: kind, documentation: node.text("description"))
        }
        byKey = Dictionary(schemes.map { ($0.key, $0) }) { first, _ in first }
        ofDocument = requirements(document.root["security"])
        let all = outlines.compactMap { requirements($0.node["security"]) ?? ofDocument }
        // A document that says nowhere what calls need means what it declares.
        if all.isEmpty { ofDocument = schemes.map { [$0] } }
        let groups = outlines.compactMap { merged(alternatives(of: $0.node)) }.grouped { $0 }
        let most = groups.map(\.elements.count).max()
        usual = ofDocument.flatMap(merged) ?? groups.first { $0.elements.count == most }?.key ?? Requirement()
        warn(of: document.root["security"], usual)
    }

    /// The credentials of an operation, if they are not the usual ones.
    func exception(for node: Node) -> Requirement? {
        let alternatives = alternatives(of: node)
        let usualOnes = usual.others.isEmpty ? [usual.schemes] : [usual.schemes] + usual.others.map { [$0] }
        let own = merged(alternatives)
        let offered = own.map { [$0.schemes] + $0.others.map { [$0] } } ?? []
        if usualOnes.allSatisfy(alternatives.contains), offered.allSatisfy(usualOnes.contains) { return nil }
        if let own { warn(of: node["security"], own) }
        return own
    }

    private func alternatives(of node: Node) -> [[Scheme]] { requirements(node["security"]) ?? ofDocument ?? [[]] }

    /// The first alternative, with the others that a class may offer in its place.
    private func merged(_ alternatives: [[Scheme]]) -> Requirement? {
        guard let first = alternatives.first else { return nil }
        guard first.count == 1, first[0].kind.isAuthorization else { return Requirement(schemes: first) }
        let others = alternatives.dropFirst().filter { $0.count == 1 && $0[0].kind.isAuthorization }.flatMap(\.self)
        return Requirement(schemes: first, others: others.unique().filter { $0 != first[0] })
    }

    /// Warns of the alternatives that are not offered.
    private func warn(of node: Node?, _ requirement: Requirement) {
        guard let node else { return }
        let offered = [requirement.schemes] + requirement.others.map { [$0] }
        let left = (requirements(node) ?? []).filter { !$0.isEmpty && !offered.contains($0) }
        if !left.isEmpty {
            let names = left.map { $0.map(\.key).joined(separator: " and ") }.joined(separator: ", or ")
            document.warnings.add(node.pointer, "calls do not show the alternative \(names): set it in your class")
        }
    }

    private func requirements(_ node: Node?) -> [[Scheme]]? {
        guard let node else { return nil }
        if node.json.array == [] { return [[]] }
        let requirements = node.elements.compactMap { element -> [Scheme]? in
            let schemes = element.members.compactMap { name, place in
                if byKey[name] == nil { document.warnings.add(place.pointer, "no usable security scheme “\(name)”") }
                return byKey[name]
            }
            return element.json.object?.names.count == schemes.count ? schemes : nil
        }
        if node.elements.isEmpty { document.warnings.add(node.pointer, "no list of requirements, so it is not read") }
        return requirements
    }

    private static func kind(of node: Node) -> Scheme.Kind? {
        let name = node.text("name") ?? ""
        switch (node.text("type"), node.text("in")) {
        case ("oauth2", _), ("openIdConnect", _): return .token
        case ("http", _):
            switch node.text("scheme")?.lowercased() {
            case "bearer": return .token
            case "basic", "digest": return .password
            default: return nil
            }
        // Some documents describe a token as a key.
        case ("apiKey", "header") where name.lowercased() == "authorization": return .token
        case ("apiKey", "header") where name.isToken: return .header(name)
        case ("apiKey", "query") where !name.isEmpty: return .query(name)
        case ("apiKey", "cookie") where name.isToken: return .cookie(name)
        default: return nil
        }
    }

    /// Names that `JSONAPI` has.
    private static let taken: Set<String> = [
        "acceptedTypes", "accepts", "authorization", "baseURL", "baseURLs", "body", "bodyStream", "buildURLRequest",
        "cache", "call", "configure", "content", "contentType", "curlText", "dataTaskPublisher", "decode", "decoded",
        "decoder", "detail", "download", "downloadProgress", "downloaded", "eachEvent", "eachLine", "eachValue",
        "encodeBody", "encoder", "error", "failover", "gate", "headers", "hedge", "here", "idempotencyKey", "init",
        "intercept", "json", "jsonLines", "lifetime", "limits", "method", "objectWillChange", "on", "path",
        "pathTemplate", "query", "queryItems", "redirect", "replyEvents", "report", "request", "response", "retry",
        "retryDelay", "secretHeaders", "self", "sendRequest", "sendStream", "serverSentEvents", "session", "setQuery",
        "sharing", "startRequest", "stub", "stubJSONResponse", "stubResponse", "timeout", "uploadProgress",
        "useBaseURL", "usesStrictJSON", "value", "watchers", "with", "withBaseURL",
    ]
}

extension Security.Scheme.Kind {
    var headerName: String? { if case .header(let name) = self { name } else { nil } }

    var isAuthorization: Bool {
        switch self {
        case .token, .password, .header: true
        case .query, .cookie: false
        }
    }
}
