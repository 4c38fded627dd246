/// The place of a parameter in a request.
package enum ParameterLocation: String, Sendable {
    case path, query, header, cookie
}

extension Node {
    /// The style of a parameter, and whether its elements or members stand by themselves (OpenAPI 3.1, section
    /// 4.8.12.2).
    package func style(in location: ParameterLocation) -> (style: String, explodes: Bool) {
        let style = text("style") ?? (location == .path || location == .header ? "simple" : "form")
        return (style, json["explode"]?.bool ?? (style == "form" || style == "deepObject"))
    }
}

/// A parameter of an operation, or a header of a reply.
struct DocumentedParameter: Sendable {
    let location: ParameterLocation
    let name: String
    let style: String
    let explodes: Bool
    let isRequired: Bool
    let allowsEmptyValue: Bool
    /// The schema of the value; `nil` if the document has none.
    let schema: Node?
    /// Whether the value is JSON, by the media type of `content`.
    let isJSON: Bool
    let node: Node
    /// The values that the schema allows; anything without one.
    let outline: SchemaOutline

    init?(_ node: Node, _ schemas: Schemas) {
        guard let name = node.text("name"), let location = ParameterLocation(rawValue: node.text("in") ?? "") else {
            return nil
        }
        self.init(node, name: name, location: location, schemas)
    }

    /// Reads a header of a reply, whose name stands before it.
    init(header node: Node, name: String, _ schemas: Schemas) {
        self.init(node, name: name, location: .header, schemas)
    }

    private init(_ node: Node, name: String, location: ParameterLocation, _ schemas: Schemas) {
        (self.name, self.location, self.node) = (name, location, node)
        (style, explodes) = node.style(in: location)
        isRequired = location == .path || node.flag("required")
        allowsEmptyValue = node.flag("allowEmptyValue")
        let content = node["content"]?.members.first
        schema = node["schema"] ?? content?.node["schema"]
        isJSON = content.map { MediaType($0.name).isJSON } ?? false
        outline = schema.map(schemas.outline) ?? SchemaOutline()
    }

    var pointer: String { node.pointer }

    /// Whether its value can be an object, and the schema says so.
    var isObject: Bool { outline.types.contains(.object) && (!outline.types.isAll || !outline.members.isEmpty) }

    /// Whether it has query items of any name as its members.
    var takesOtherItems: Bool {
        location == .query && explodes && style == "form" && isObject && outline.takesOtherMembers
    }

    /// Those of the transport, of bodies and of credentials (OpenAPI 3.1, section 4.8.12.1), which are not compared.
    private static let ownHeaders: Set<String> = [
        "accept", "content-type", "authorization", "user-agent", "accept-encoding", "content-length",
        "transfer-encoding", "host", "connection", "expect", "te", "trailer", "upgrade", "cookie",
    ]

    /// Whether it is compared: not a header of the transport, and not a value that the path has no place for.
    fileprivate func isCompared(in path: PathTemplate) -> Bool {
        switch location {
        case .path: path.parameterNames.contains(name)
        case .header: !Self.ownHeaders.contains(name.lowercased())
        case .query, .cookie: true
        }
    }

    /// The parameter in words, such as `query item “limit”`.
    var description: String {
        let kind =
            switch location {
            case .path: "path parameter"
            case .query: "query item"
            case .header: "header"
            case .cookie: "cookie"
            }
        return "\(kind) “\(name)”"
    }
}

extension DocumentedOperation {
    /// The parameters of the path's item and of the operation, which replace the others.
    func parameters(in root: Node, _ schemas: Schemas) -> [DocumentedParameter] {
        let template = PathTemplate(path)
        let all = parameterNodes.compactMap { $0.resolved(in: root).flatMap { DocumentedParameter($0, schemas) } }
        let groups = all.filter { $0.isCompared(in: template) }.grouped { "\($0.location) \($0.name)" }
        return groups.compactMap(\.elements.last)
    }
}
