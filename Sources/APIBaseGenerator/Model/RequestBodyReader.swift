/// Reads the body that an operation sends.
struct RequestBodyReader {
    let document: Document
    let schemas: SchemaReader

    func read(_ operation: Operation) -> RequestBody {
        guard let node = operation.outline.node["requestBody"].flatMap(document.resolved),
            let content = node["content"]
        else { return .none }
        if ["GET", "HEAD"].contains(operation.outline.method) {
            document.warnings.add(node.pointer, "\(operation.outline.method) has no body: it is left out")
            return .none
        }
        let types = content.members.map { (media: MediaType($0.name), node: $0.node) }
        let isRequired = node.flag("required")
        if let json = types.first(where: { $0.media.text == "application/json" }) ?? types.first(where: \.media.isJSON)
        {
            let type = type(of: json.node, in: operation.scope)
            let other = json.media.text == "application/json" || json.media.isRange ? nil : json.media.text
            return .json(type, isRequired: isRequired, mediaType: other)
        }
        if let form = types.first(where: { $0.media.text == "application/x-www-form-urlencoded" }) {
            return .form(type(of: form.node, in: operation.scope), isRequired: isRequired)
        }
        if let form = types.first(where: { $0.media.text.hasPrefix("multipart/") }) {
            return .multipart(parts(of: form.node, in: operation.scope))
        }
        guard let other = types.first else { return .none }
        let name = other.media.isRange ? "application/octet-stream" : other.media.text
        if other.media.text.hasPrefix("text/") { return .text(isRequired: isRequired, mediaType: name) }
        return .bytes(isRequired: isRequired, mediaType: name)
    }

    private func type(of node: Node, in scope: Scope) -> SwiftType {
        guard let schema = node["schema"] else { return .json }
        return schemas.read(schema, at: .init(name: "Body", scope: scope)).type
    }

    /// The parts of a form with files, by the properties of its schema.
    private func parts(of node: Node, in scope: Scope) -> [RequestBody.Part] {
        guard let schema = node["schema"] else { return [] }
        var gathered = SchemaReader.Gathered()
        var seen: Set<String> = []
        schemas.gather(schema, into: &gathered, &seen, isChoice: false)
        return gathered.members.map { member in
            let property = member.nodes[0]
            let mediaType = node["encoding"]?[member.key]?.text("contentType")
            let type =
                fileType(property)
                ?? schemas.read(property, at: .init(name: Identifier.type(member.key), scope: scope)).type
            return RequestBody.Part(
                key: member.key,
                type: type,
                isRequired: gathered.required.contains(member.key),
                mediaType: mediaType.flatMap { $0.contains(",") || $0.contains("*") ? nil : $0 },
                documentation: property.text("description")
            )
        }
    }

    /// The type of a part that is a file, or several; `nil` for another one.
    private func fileType(_ node: Node) -> SwiftType? {
        guard let node = document.resolved(node) else { return nil }
        if node.type == .one("array"), let items = node["items"] { return fileType(items).map { .array($0) } }
        let isFile = ["binary", "base64"].contains(node.text("format")) || node.text("contentMediaType") != nil
        return isFile && node.text("contentEncoding") == nil && node.type != .one("object") ? .file : nil
    }
}

/// A media type without its parameters.
struct MediaType: Hashable {
    let text: String

    init(_ text: String) {
        let essence = text.prefix { $0 != ";" }.trimmingPrefix { $0 == " " }
        self.text = essence.replacing(" ", with: "").lowercased()
    }

    var isJSON: Bool { text.hasSuffix("/json") || text.hasSuffix("+json") || isRange }
    /// Whether it stands for any type.
    var isRange: Bool { text == "*/*" || text == "application/*" }
    var isText: Bool { text.hasPrefix("text/") && !isJSON }
    var isEvents: Bool { text == "text/event-stream" }
    /// Whether it can stand in a header.
    var isValid: Bool { text.wholeMatch(of: /[A-Za-z0-9!#$&^_.+*-]+\/[A-Za-z0-9!#$&^_.+*-]+/) != nil }
}
