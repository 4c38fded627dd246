import Foundation

/// The texts of a query or a form as a value: what its style and its brackets make of them.
enum TextTree {
    typealias Items = [(name: String, value: String)]

    /// The value of a name in decoded items, and of that name with brackets: `filter[price][gte]=5`,
    /// `tags[]=a&tags[]=b`.
    static func value(of name: String, in items: Items) -> JSON? {
        var root = Branch()
        for item in items where item.name.hasPrefix("\(name)[") || item.name == name {
            let keys = item.name.dropFirst(name.count).split(separator: "[", omittingEmptySubsequences: false)
                .dropFirst()
            root.add(item.value, at: keys.prefix(40).map { String($0.prefix { $0 != "]" }) }[...])
        }
        return root.isEmpty ? nil : root.json
    }

    /// The value with arrays and objects where a schema wants them: `{"0": "a"}` is an array there, and so is one text;
    /// a text of JSON is what it says, since objects in forms are JSON by default (OpenAPI 3.1, section 4.8.14.5).
    static func fitted(_ value: JSON, to schema: Node?, by schemas: Schemas, depth: Int = 0) -> JSON {
        guard let schema, depth < 20 else { return value }
        let outline = schemas.outline(of: schema)
        let isList = outline.types.contains(.array) && !outline.types.contains(.object)
        switch value {
        case .object(let members) where isList && members.names.allSatisfy { $0.isEmpty || Int($0) != nil }:
            return .array(value.children.map { fitted($0, to: outline.items, by: schemas, depth: depth + 1) })
        case .object:
            return .members(
                value.pairs.map { name, member in
                    (name, fitted(member, to: outline.members[name], by: schemas, depth: depth + 1))
                }
            )
        case .array(let elements) where outline.types.contains(.array):
            return .array(elements.map { fitted($0, to: outline.items, by: schemas, depth: depth + 1) })
        case .string(let text) where !outline.types.contains(.string):
            if let json = try? JSONReader.read(Data(text.utf8)), json.object != nil || json.array != nil {
                return isList && json.array == nil ? .array([json]) : json
            }
            return isList && !outline.types.contains { $0.isScalar && $0 != .null } ? .array([value]) : value
        default: return value
        }
    }

    /// Names and values in turn, or `name=value`, as an object of texts.
    static func object(_ parts: [String], explodes: Bool) -> JSON {
        guard explodes else {
            let names = stride(from: 0, to: parts.count, by: 2)
            return .members(names.map { (parts[$0], .string($0 + 1 < parts.count ? parts[$0 + 1] : "")) })
        }
        return .members(
            parts.map { part in
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (pair[0], .string(pair.count > 1 ? pair[1] : ""))
            }
        )
    }

    private struct Branch {
        var texts: [JSON] = []
        var names: [String] = []
        var branches: [String: Branch] = [:]

        var isEmpty: Bool { texts.isEmpty && names.isEmpty }

        mutating func add(_ text: String, at keys: ArraySlice<String>) {
            guard let key = keys.first else { return texts.append(.string(text)) }
            // Each `[]` is another element.
            let name = key.isEmpty && keys.count > 1 ? "\(names.count)" : key
            if branches[name] == nil { names.append(name) }
            branches[name, default: Branch()].add(text, at: keys.dropFirst())
        }

        var json: JSON {
            guard !names.isEmpty else { return texts.count == 1 ? texts[0] : .array(texts) }
            if names == [""], let list = branches[""] { return .array(list.texts) }
            return .members(names.compactMap { name in branches[name].map { (name, $0.json) } })
        }
    }
}
