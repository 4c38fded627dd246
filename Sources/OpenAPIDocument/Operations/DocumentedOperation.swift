import Basics

/// An operation of a document: a method, and the template of a path.
package struct DocumentedOperation: Sendable {
    package let method: String
    package let path: String
    package let node: Node
    /// The item of the path, which has parameters and servers for all its operations.
    package let item: Node

    package var id: String? { node.text("operationId") }
    package var route: String { "\(method) \(path)" }

    /// The parts that may be references: parameters, the body and the replies.
    var parts: [Node] {
        parameterNodes + [node["requestBody"]].compactMap(\.self) + (node["responses"]?.members.map(\.node) ?? [])
    }

    var parameterNodes: [Node] { [item["parameters"], node["parameters"]].flatMap { $0?.elements ?? [] } }
}

extension Document {
    /// The operations in their order. What is no path, no method and no operation has a warning.
    package func operations() -> [DocumentedOperation] {
        (root["paths"]?.members ?? []).flatMap { path, item -> [DocumentedOperation] in
            guard path.hasPrefix("/") else {
                if !path.hasPrefix("x-") { warnings.add(item.pointer, "a path begins with a slash") }
                return []
            }
            guard let item = resolved(item) else { return [] }
            return Self.methods(of: item).compactMap { method, node in
                guard node.json.object != nil else { return nil }
                guard method.isToken else {
                    warnings.add(node.pointer, "a method is a token")
                    return nil
                }
                return DocumentedOperation(method: method, path: path, node: node, item: item)
            }
        }
    }

    /// Warns of replies, contents and schemas that are not objects.
    func warnOfKinds(_ operations: [DocumentedOperation]) {
        for operation in operations {
            let parts = operation.parts.compactMap { $0.resolved(in: root) }
            let contents = parts.compactMap { $0["content"] }
            let media = contents.flatMap { $0.members.map(\.node) }
            let maps = [operation.node["responses"]].compactMap(\.self) + contents
            for node in maps + (parts + media).compactMap({ $0["schema"] })
            where node.json.object == nil && node.json.bool == nil {
                warnings.add(node.pointer, "is no object and cannot be compared")
            }
        }
    }

    /// The operations of a path with their methods; `additionalOperations` has those that have no field of their own.
    private static func methods(of item: Node) -> [(method: String, node: Node)] {
        item.members.flatMap { name, node -> [(method: String, node: Node)] in
            if name == "additionalOperations" { return node.members.map { ($0.name, $0.node) } }
            return methods.contains(name) ? [(name.uppercased(), node)] : []
        }
    }

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
}

extension Node {
    /// The URL of a server, with its variables by their defaults.
    package var serverURL: String {
        // In one pass: a default may look like a variable.
        PathTemplate(text("url") ?? "").pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .parameter(let name): self["variables"]?[name].map { $0.json["default"]?.text ?? "" } ?? "{\(name)}"
            }
        }
        .joined()
    }
}
