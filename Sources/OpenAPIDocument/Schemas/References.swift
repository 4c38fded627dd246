import Foundation

/// The targets of the references of a document.
struct References: Sendable {
    let root: Node
    let dialect: Dialect
    /// The schemas with `$id` by their URI, and those with an anchor by URI, `#` and anchor; `nil` before the first
    /// use.
    private var named: [String: Node]?
    /// Whether a schema may have an `$id`, so that references within it start there; `nil` before the first use.
    private var hasIDs: Bool?
    /// The number of parts of pointers that may still be followed: more than documents need that are not made to be
    /// slow.
    private var steps = 2_000_000

    init(root: Node, dialect: Dialect) { (self.root, self.dialect) = (root, dialect) }

    /// The schema that a reference at a pointer leads to; `nil` if there is none, or if it is in another document.
    mutating func target(of reference: String, from pointer: String) -> Node? {
        if dialect == .openAPI30 || reference.hasPrefix("#/") && !mayHaveIDs() { return root.target(of: reference) }
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
    mutating func node(at pointer: String) -> Node? { walk(to: pointer).map { Node(json: $0, pointer: pointer) } }

    /// The value at a pointer. Each value on the way is visited, with the number of parts that lead to it.
    private mutating func walk(to pointer: String, visit: (JSON, Int) -> Void = { _, _ in }) -> JSON? {
        var value = root.json
        visit(value, 0)
        for (index, part) in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().enumerated() {
            steps -= 1
            guard steps > 0 else { return nil }
            let name = part.contains("~") ? String(part).unescapedFromPointer : String(part)
            let element = value.array.flatMap { array in
                Int(name).flatMap { array.indices.contains($0) ? array[$0] : nil }
            }
            guard let child = element ?? value[name] else { return nil }
            value = child
            visit(value, index + 1)
        }
        return value
    }

    /// The innermost schema with an `$id` around a pointer, or the root, and its URI.
    private mutating func resource(of pointer: String) -> (Node, uri: String) {
        var found = (json: root.json, parts: 0, uri: "")
        var resolved = 0
        _ = walk(to: pointer) { value, parts in
            guard let id = value["$id"]?.string, found.uri.utf8.count < 2_000 else { return }
            found = (value, parts, Self.absolute(id, found.uri))
            resolved += 1
        }
        steps -= resolved * 20
        let parts = pointer.split(separator: "/", omittingEmptySubsequences: false).prefix(found.parts + 1)
        return (Node(json: found.json, pointer: parts.joined(separator: "/")), found.uri)
    }

    private static func absolute(_ reference: String, _ base: String) -> String {
        let reference = reference.hasSuffix("#") ? String(reference.dropLast()) : reference
        return URL(string: reference, relativeTo: URL(string: base))?.absoluteString ?? reference
    }

    private mutating func mayHaveIDs() -> Bool {
        if let hasIDs { return hasIDs }
        var open = [root.json]
        var found = false
        while !found, let value = open.popLast() {
            found = value["$id"]?.string != nil
            open += value.children
        }
        hasIDs = found
        return found
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
