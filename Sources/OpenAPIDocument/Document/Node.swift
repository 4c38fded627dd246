import Foundation

/// A value of the document, with the place where it stands.
package struct Node: Sendable {
    package let json: JSON
    /// The JSON pointer (RFC 6901) of the value, as a fragment: `#/paths/~1pets`.
    package let pointer: String

    package init(json: JSON, pointer: String) { (self.json, self.pointer) = (json, pointer) }

    package subscript(name: String) -> Node? {
        json[name].map { Node(json: $0, pointer: "\(pointer)/\(name.escapedForPointer)") }
    }

    /// The text of a member.
    package func text(_ name: String) -> String? { json[name]?.string }

    /// The text of the description, or else the title, and whether it is deprecated.
    package var documentation: String? {
        let text = text("description") ?? text("title")
        return flag("deprecated") ? ["Deprecated.", text].compactMap(\.self).joined(separator: " ") : text
    }

    /// Whether a member is `true`.
    package func flag(_ name: String) -> Bool { json[name]?.bool ?? false }

    /// The elements of an array; none for another value.
    package var elements: [Node] {
        (json.array ?? []).enumerated().map { Node(json: $1, pointer: "\(pointer)/\($0)") }
    }

    /// The members of an object in their order; none for another value.
    package var members: [(name: String, node: Node)] {
        json.pairs.map { ($0, Node(json: $1, pointer: "\(pointer)/\($0.escapedForPointer)")) }
    }

    /// The value that a reference within this value names, such as `#/components/schemas/Pet`; `nil` if there is none,
    /// and for a reference to another document.
    package func target(of reference: String) -> Node? {
        guard reference.hasPrefix("#") else { return nil }
        var path = String(reference.dropFirst())
        if path.utf8.contains(UInt8(ascii: "%")) { path = path.removingPercentEncoding ?? path }
        guard path.isEmpty || path.hasPrefix("/") else { return nil }
        var node = self
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(part).unescapedFromPointer
            let elements = node.json.array ?? []
            if let index = Int(name), !elements.isEmpty {
                guard elements.indices.contains(index) else { return nil }
                node = Node(json: elements[index], pointer: "\(node.pointer)/\(index)")
            } else {
                guard let member = node[name] else { return nil }
                node = member
            }
        }
        return node
    }

    /// The value that stands in place of a reference, through further ones; `nil` if it leads nowhere or out of the
    /// document.
    package func resolved(in root: Node) -> Node? {
        var node = self
        for _ in 0..<100 {
            guard let reference = node.text("$ref") else { return node }
            guard let target = root.target(of: reference) else { return nil }
            node = target
        }
        return nil
    }

    /// The same place with some members left out.
    package func without(_ names: Set<String>) -> Node {
        guard let members = json.object else { return self }
        return Node(json: .object(members.without(names)), pointer: pointer)
    }

    /// The same place with another member.
    package func with(_ name: String, _ value: JSON) -> Node {
        var members = json.object ?? JSON.Members()
        members[name] = value
        return Node(json: .object(members), pointer: pointer)
    }
}

extension String {
    package var escapedForPointer: String {
        utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
            ? replacing("~", with: "~0").replacing("/", with: "~1") : self
    }

    package var unescapedFromPointer: String {
        utf8.contains(UInt8(ascii: "~")) ? replacing("~1", with: "/").replacing("~0", with: "~") : self
    }
}
