package import Foundation

/// An OpenAPI document, 3.0 or 3.1.
package final class Document {
    /// The name of its file.
    package let name: String
    package let root: Node
    /// The number of its bytes.
    package let size: Int
    package let warnings: Warnings
    /// The named schemas that have another one among the parts of `allOf`, by the pointer of that.
    private let extensions: [String: [String]]
    /// All of them, also by further parts, as far as they have been asked for.
    private var allExtensions: [String: [String]] = [:]

    /// Reads a document.
    ///
    /// - Throws: ``DocumentError`` for what is no such document.
    package init(_ data: Data, name: String) throws {
        let json = try JSON(document: data, name: name)
        let version = json["openapi"]?.text ?? ""
        guard version.hasPrefix("3.") else {
            if json["swagger"] != nil { throw DocumentError.swagger2(name) }
            throw version.isEmpty ? .notOpenAPI(name) : DocumentError.version(name, version)
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
    package func extensions(of pointer: String) -> [String] {
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

    package var title: String { root["info"]?.text("title") ?? "" }
    package var version: String { root["info"]?.json["version"]?.text ?? "" }

    /// The value that stands in place of a reference: what it leads to, through further references.
    ///
    /// `nil` with a warning if it leads nowhere, or out of the document.
    package func resolved(_ node: Node) -> Node? {
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
    package func target(of reference: String, at pointer: String) -> Node? {
        guard reference.hasPrefix("#") else {
            let hint = DocumentError.bundleHint(name)
            warnings.add(pointer, "“\(reference)” is another document and is not read: \(hint)")
            return nil
        }
        guard let target = root.target(of: reference) else {
            warnings.add(pointer, "there is no “\(reference)”")
            return nil
        }
        return target
    }
}
