import OpenAPIDocument

/// Reads what an operation is answered with.
struct ReplyReader {
    let document: Document
    let schemas: SchemaReader

    func read(into operation: inout Operation) {
        let replies = (operation.outline.node["responses"]?.members ?? []).compactMap { status, node in
            document.resolved(node).map { (status: status, node: $0) }
        }
        let successes = replies.filter { $0.status.hasPrefix("2") }
        let considered = successes.isEmpty ? replies.filter { $0.status == "default" } : successes
        let contents = considered.map { $0.node["content"].map(document.mediaTypes) ?? [] }
        guard let content = contents.first(where: { !$0.isEmpty }) else { return }
        let hasEmpty = contents.contains(where: \.isEmpty) || considered.contains { $0.status == "204" }
        read(content, into: &operation)
        switch operation.result {
        case .void, .data, .string, .json, .optional: break
        // Another success has no body.
        default: if hasEmpty { operation.result = .optional(operation.result) }
        }
    }

    private func read(_ types: [(media: MediaType, node: Node)], into operation: inout Operation) {
        if let events = types.first(where: \.media.isEvents) {
            operation.events = type(of: events.node, named: "Event", in: operation.scope)
        }
        let json = types.first { $0.media.text == "application/json" } ?? types.first(where: \.media.isJSON)
        if let json {
            operation.result = type(of: json.node, named: "Reply", in: operation.scope)
            operation.examples = examples(of: json.node)
            if json.media.isRange { operation.accepts = ["*/*"] }
            if json.media.text == "text/json" { operation.accepts = ["application/json", "text/json"] }
            // A strict server sends nothing else, a lax one calls it by its general name.
            if json.media.text.hasSuffix("+json") { operation.accepts = [json.media.text, "application/json"] }
            return
        }
        let others = types.filter { !$0.media.isEvents }
        if others.isEmpty { return }
        if others.allSatisfy(\.media.isText) {
            operation.result = .string
        } else {
            // Octets that are taken for a text would be lost.
            operation.result = .data
            operation.accepts = others.map(\.media.text)
        }
    }

    private func type(of node: Node, named name: String, in scope: Scope) -> SwiftType {
        guard let schema = node["schema"] else { return .json }
        if schema.text("format") == "binary", schema.type == .one("string") { return .data }
        let reading = schemas.read(schema, at: .init(name: name, scope: scope))
        return reading.optionalType
    }

    private func examples(of node: Node) -> [Example] {
        let schema = node["schema"].flatMap(document.resolved)
        var examples = node["example"].map { [Example(value: $0.json, pointer: $0.pointer, schema: schema)] } ?? []
        for (_, example) in node["examples"]?.members ?? [] {
            guard let value = document.resolved(example)?["value"] else { continue }
            examples.append(Example(value: value.json, pointer: value.pointer, schema: schema))
        }
        if examples.isEmpty, let example = schema?["example"] {
            examples.append(Example(value: example.json, pointer: example.pointer, schema: schema))
        }
        return examples
    }

    // MARK: Failures

    /// The schemas of the replies that are failures, each with a name for it if it has none of its own.
    func failures(of outline: OperationOutline) -> [(name: String, schema: Node, statuses: Set<Int>)] {
        let replies = outline.node["responses"]?.members ?? []
        let named = NamedStatuses(replies.map(\.name))
        return replies.compactMap { status, node in
            guard status.hasPrefix("4") || status.hasPrefix("5") || status == "default",
                let reply = document.resolved(node),
                let content = reply["content"]?.members.first(where: { MediaType($0.name).isJSON }),
                let schema = content.node["schema"]
            else { return nil }
            let component = node.text("$ref")?.split(separator: "/").last.map { String($0).unescapedFromPointer }
            return (component ?? "", schema, named.statuses(of: status))
        }
    }
}
