/// A value of the document, with the place where it stands.
struct Node {
    let json: JSON
    /// The JSON pointer (RFC 6901) of the value, as a fragment: `#/paths/~1pets`.
    let pointer: String

    subscript(name: String) -> Node? {
        json[name].map { Node(json: $0, pointer: "\(pointer)/\(name.escapedForPointer)") }
    }

    /// The text of a member.
    func text(_ name: String) -> String? { json[name]?.string }

    /// The text of the description, or else the title, and whether it is deprecated.
    var documentation: String? {
        let text = text("description") ?? text("title")
        return flag("deprecated") ? ["Deprecated.", text].compactMap(\.self).joined(separator: " ") : text
    }

    /// Whether a member is `true`.
    func flag(_ name: String) -> Bool { json[name]?.bool ?? false }

    /// The elements of an array; none for another value.
    var elements: [Node] {
        (json.array ?? []).enumerated().map { Node(json: $1, pointer: "\(pointer)/\($0)") }
    }

    /// The members of an object in their order; none for another value.
    var members: [(name: String, node: Node)] {
        json.pairs.map { ($0, Node(json: $1, pointer: "\(pointer)/\($0.escapedForPointer)")) }
    }

    /// The same place with some members left out.
    func without(_ names: Set<String>) -> Node {
        guard let members = json.object else { return self }
        return Node(json: .object(members.without(names)), pointer: pointer)
    }

    /// The same place with another member.
    func with(_ name: String, _ value: JSON) -> Node {
        var members = json.object ?? JSON.Members()
        members[name] = value
        return Node(json: .object(members), pointer: pointer)
    }
}

extension String {
    var escapedForPointer: String {
        contains(where: { $0 == "~" || $0 == "/" })
            ? replacing("~", with: "~0").replacing("/", with: "~1") : self
    }

    var unescapedFromPointer: String { replacing("~1", with: "/").replacing("~0", with: "~") }
}
