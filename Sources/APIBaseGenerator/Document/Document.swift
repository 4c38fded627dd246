package import Foundation

/// An OpenAPI document, 3.0 or 3.1.
package final class Document {
    /// The name of its file.
    package let name: String
    let root: Node
    /// The number of its bytes.
    let size: Int
    let warnings: Warnings
    /// The named schemas that have another one among the parts of `allOf`, by the pointer of that.
    private let extensions: [String: [String]]
    /// All of them, also by further parts, as far as they have been asked for.
    private var allExtensions: [String: [String]] = [:]

    /// Reads a document.
    ///
    /// - Throws: ``Refusal`` for what is no such document.
    package init(_ data: Data, name: String) throws {
        let json = try JSON(document: data, name: name)
        let version = json["openapi"]?.text ?? ""
        guard version.hasPrefix("3.") else {
            if json["swagger"] != nil { throw Refusal.swagger2(name) }
            throw version.isEmpty ? .notOpenAPI(name) : Refusal.version(name, version)
        }
        self.name = name
        root = Node(json: json, pointer: "#")
        size = data.count
        warnings = Warnings()
        let parts = (root["components"]?["schemas"]?.members ?? []).flatMap { _, schema in
            (schema["allOf"]?.elements ?? []).map { (base: $0.text("$ref") ?? "", pointer: schema.pointer) }
        }
        extensions = Dictionary(grouping: parts, by: \.base).mapValues { $0.map(\.pointer) }
        if !["3.0", "3.1"].contains(where: version.hasPrefix) {
            let others = "but for the methods in “query” and “additionalOperations”"
            warnings.add("#/openapi", "OpenAPI \(version) is read as 3.1, \(others)")
        }
    }

    /// The pointers of the named schemas that have the one at a pointer among their parts, or among those of a part.
    func extensions(of pointer: String) -> [String] {
        if let known = allExtensions[pointer] { return known }
        var found: [String] = []
        var seen: Set<String> = [pointer]
        var open = [pointer]
        while let next = open.popLast() {
            for other in extensions[next] ?? [] where seen.insert(other).inserted {
                found.append(other)
                open.append(other)
            }
        }
        allExtensions[pointer] = found
        return found
    }

    var title: String { root["info"]?.text("title") ?? "" }
    var version: String { root["info"]?.json["version"]?.text ?? "" }

    /// The value that stands in place of a reference: what it leads to, through further references.
    ///
    /// `nil` with a warning if it leads nowhere, or out of the document.
    func resolved(_ node: Node) -> Node? {
        var node = node
        var seen: Set<String> = []
        while let reference = node.text("$ref") {
            guard let target = target(of: reference, at: node.pointer) else { return nil }
            guard seen.insert(target.pointer).inserted else {
                warnings.add(node.pointer, "the reference leads back to itself")
                return nil
            }
            node = target
        }
        return node
    }

    /// The value that a reference names; `nil` with a warning if there is none.
    func target(of reference: String, at pointer: String) -> Node? {
        guard reference.hasPrefix("#") else {
            warnings.add(pointer, "“\(reference)” is another document and is not read: \(Refusal.bundleHint(name))")
            return nil
        }
        guard let target = value(at: reference) else {
            warnings.add(pointer, "there is no “\(reference)”")
            return nil
        }
        return target
    }

    private func value(at reference: String) -> Node? {
        let path = reference.dropFirst().removingPercentEncoding ?? String(reference.dropFirst())
        guard path.isEmpty || path.hasPrefix("/") else { return nil }
        var node: Node? = root
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(part).unescapedFromPointer
            if let index = Int(name), let elements = node?.elements, !elements.isEmpty {
                node = elements.indices.contains(index) ? elements[index] : nil
            } else {
                node = node?[name]
            }
        }
        return node
    }
}
