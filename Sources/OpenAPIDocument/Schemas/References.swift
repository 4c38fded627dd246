import Foundation

/// What the references of a document lead to.
struct References: Sendable {
    let root: Node
    let dialect: Dialect
    /// The schemas with `$id` by their URI, and those with an anchor by URI, `#` and anchor; `nil` before the first use.
    private var named: [String: Node]?

    init(root: Node, dialect: Dialect) { (self.root, self.dialect) = (root, dialect) }

    /// The schema that a reference at a pointer leads to; `nil` if there is none, or if it is in another document.
    mutating func target(of reference: String, from pointer: String) -> Node? {
        if dialect == .openAPI30 { return root.target(of: reference) }
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let fragment = parts.count > 1 ? parts[1] : ""
        var (resource, uri) = resource(of: pointer)
        if !parts[0].isEmpty {
            uri = Self.absolute(parts[0], uri)
            guard let other = schemas()[uri] else { return nil }
            resource = other
        }
        if fragment.isEmpty || fragment.hasPrefix("/") { return resource.target(of: "#\(fragment)") }
        return schemas()["\(uri)#\(fragment)"]
    }

    /// The schema at a pointer, which holds no escapes of URLs.
    func node(at pointer: String) -> Node? { ancestors(of: pointer)?.last }

    /// The values on the way to a pointer.
    private func ancestors(of pointer: String) -> [Node]? {
        var nodes = [root]
        for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(part).unescapedFromPointer
            let node = nodes[nodes.count - 1]
            let child = node.json.array.map {
                Int(name).flatMap($0.indices.contains) == true ? $0[Int(name) ?? 0] : nil
            }
            guard let json = child ?? node.json[name] else { return nil }
            nodes.append(Node(json: json, pointer: "\(node.pointer)/\(part)"))
        }
        return nodes
    }

    /// The innermost schema with an `$id` around a pointer, or the root, and its URI.
    private func resource(of pointer: String) -> (Node, uri: String) {
        var found = (root, uri: "")
        for node in ancestors(of: pointer) ?? [] {
            if let id = node.text("$id") { found = (node, Self.absolute(id, found.uri)) }
        }
        return found
    }

    private static func absolute(_ reference: String, _ base: String) -> String {
        let reference = reference.hasSuffix("#") ? String(reference.dropLast()) : reference
        return URL(string: reference, relativeTo: URL(string: base))?.absoluteString ?? reference
    }

    // MARK: Names

    /// Keywords whose values are no schemas, and those whose members are schemas with names.
    private static let values: Set<String> = ["enum", "const", "default", "example", "examples"]
    private static let maps: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas",
    ]

    private mutating func schemas() -> [String: Node] {
        if let named { return named }
        var found: [String: Node] = [:]
        var open = [(node: root, uri: "", isMap: false)]
        while let (node, base, isMap) = open.popLast() {
            var uri = base
            if !isMap, let id = node.text("$id") {
                uri = Self.absolute(id, base)
                found[uri] = node
            }
            for keyword in ["$anchor", "$dynamicAnchor"] where !isMap {
                if let anchor = node.text(keyword) { found["\(uri)#\(anchor)"] = node }
            }
            open += node.elements.map { ($0, uri, false) }
            for (name, child) in node.members where isMap || !Self.values.contains(name) {
                open.append((child, uri, !isMap && Self.maps.contains(name)))
            }
        }
        if found[""] == nil { found[""] = root }
        named = found
        return found
    }
}
