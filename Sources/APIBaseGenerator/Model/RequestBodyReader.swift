import OpenAPIDocument

/// Reads the body that an operation sends.
struct RequestBodyReader {
    let document: Document
    let schemas: SchemaReader

    func read(_ operation: Operation) -> RequestBody {
        guard let node = operation.outline.node["requestBody"].flatMap(document.resolved),
            let content = node["content"]
        else { return .none }
        // Some documents give each operation a form, of which nothing is sent.
        let isEmpty = content.members.allSatisfy { $0.node["schema"]?.isWithoutMembers == true }
        if ["GET", "HEAD", "DELETE"].contains(operation.outline.method), isEmpty { return .none }
        if ["GET", "HEAD"].contains(operation.outline.method) {
            document.warnings.add(node.pointer, "\(operation.outline.method) has no body: it is left out")
            return .none
        }
        let types = document.mediaTypes(of: content)
        let isRequired = node.flag("required")
        if let json = types.first(where: { $0.media.text == "application/json" }) ?? types.first(where: \.media.isJSON)
        {
            let type = type(of: json.node, in: operation.scope)
            let other = json.media.text == "application/json" || json.media.isRange ? nil : json.media.text
            return .json(type, isRequired: isRequired, mediaType: other)
        }
        if let form = types.first(where: { $0.media.text == "application/x-www-form-urlencoded" }) {
            let type = type(of: form.node, in: operation.scope)
            return .form(type, isRequired: isRequired, lists: styleOfLists(in: form.node))
        }
        if let form = types.first(where: { $0.media.text == "multipart/form-data" }) {
            return .multipart(parts(of: form.node, in: operation.scope))
        }
        guard let other = types.first else { return .none }
        let name = other.media.isRange ? "application/octet-stream" : other.media.text
        if other.media.text.hasPrefix("multipart/") {
            document.warnings.add(other.node.pointer, "set the content type of the leaf yourself, with the boundary")
        }
        let isText = other.media.isText && !other.media.isRange
        return isText
            ? .text(isRequired: isRequired, mediaType: name) : .bytes(isRequired: isRequired, mediaType: name)
    }

    private func type(of node: Node, in scope: Scope) -> SwiftType {
        guard let schema = node["schema"] else { return .json }
        return schemas.read(schema, at: .init(name: "Body", scope: scope)).type
    }

    /// The way in which a form has its lists, as `encoding` says: one for all of them. OpenAPI leaves open what
    /// `deepObject` does with lists: servers like Stripe's take brackets. Objects in a list need an index.
    private func styleOfLists(in node: Node) -> String? {
        var styles: [String?] = []
        for member in node["schema"].map({ schemas.gathered($0).members }) ?? [] {
            let encoding = node["encoding"]?[member.key]
            let schema = document.resolved(member.nodes[0])
            if let encoding { warnOfEncoding(encoding, isObject: schema?["properties"] != nil) }
            guard let schema, schema.type == .one("array") else { continue }
            let isOfObjects = schema["items"].flatMap(document.resolved)?["properties"] != nil
            let isDeep = encoding?.text("style") == "deepObject"
            let style = encoding?.json["explode"] == .bool(false) ? "commas" : isDeep ? "brackets" : nil
            styles.append(isOfObjects ? "indices" : style)
        }
        guard let first = styles.first else { return nil }
        let chosen = styles.contains("indices") ? "indices" : first
        // Servers that take brackets take indices too.
        if styles.contains(where: { $0 != chosen && !($0 == "brackets" && chosen == "indices") }) {
            document.warnings.add(node.pointer, "all lists of a form are written in one way: \(chosen ?? "repeated")")
        }
        return chosen
    }

    private func warnOfEncoding(_ node: Node, isObject: Bool) {
        let isUsual = [nil, "form", "deepObject"].contains(node.text("style"))
        let isFlat = isObject && node.text("style") != "deepObject" && (node["style"] ?? node["explode"]) != nil
        if !isUsual || isFlat || node["contentType"] != nil || node["headers"] != nil {
            document.warnings.add(node.pointer, "this encoding is not followed")
        }
    }

    /// The parts of a form with files, by the properties of its schema.
    private func parts(of node: Node, in scope: Scope) -> [RequestBody.Part] {
        guard let schema = node["schema"] else { return [] }
        if let target = document.resolved(schema), !schemas.kinds(of: target).isEmpty {
            document.warnings.add(node.pointer, "only the members that all kinds have are parts of the form")
        }
        let gathered = schemas.gathered(schema)
        schemas.count(gathered.members.count)
        return gathered.members.filter { document.resolved($0.nodes[0])?.flag("readOnly") != true }.map { member in
            let property = member.nodes[0]
            let encoding = node["encoding"]?[member.key]
            if let encoding, let left = ["headers", "style", "explode"].first(where: { encoding[$0] != nil }) {
                document.warnings.add(encoding.pointer, "“\(left)” is not followed")
            }
            let mediaType = encoding?.text("contentType")
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

extension Document {
    /// The media types of a body that are media types.
    func mediaTypes(of content: Node) -> [(media: MediaType, node: Node)] {
        content.members.compactMap { name, node in
            let media = MediaType(name)
            if !media.isValid { warnings.add(node.pointer, "“\(name)” is no media type and is left out") }
            return media.isValid ? (media, node) : nil
        }
    }
}

extension Node {
    /// Whether an object of this schema has no members that the schema names, and may have no others.
    fileprivate var isWithoutMembers: Bool {
        let hasParts = ["allOf", "oneOf", "anyOf", "$ref"].contains { json[$0] != nil }
        let hasOthers = flag("additionalProperties") || json["additionalProperties"]?.object != nil
        return type == .one("object") && !hasParts && !hasOthers && json["properties"]?.pairs.isEmpty == true
    }
}
