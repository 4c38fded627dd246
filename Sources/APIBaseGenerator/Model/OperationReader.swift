import Basics
import OpenAPIDocument

/// Reads operations: parameters, bodies, replies, and what is special about them.
struct OperationReader {
    let document: Document
    let schemas: SchemaReader
    let security: Security
    let series: [String: Series]

    func read(_ outline: OperationOutline) -> Operation {
        let (path, fixedQuery) = split(outline)
        let scope = Scope(path: [outline.leafName])
        var operation = Operation(outline: outline, path: path, fixedQuery: fixedQuery, scope: scope)
        operation.parameters = parameters(of: operation)
        operation.body = RequestBodyReader(document: document, schemas: schemas).read(operation)
        ReplyReader(document: document, schemas: schemas).read(into: &operation)
        operation.security = security.exception(for: outline.node)
        // What a call shows is not given once more.
        let shown = (operation.security ?? security.usual).schemes.map(\.kind)
        operation.parameters.removeAll { parameter in
            switch parameter.location {
            case .query: shown.contains(.query(parameter.key))
            case .header: shown.contains { $0.headerName?.lowercased() == parameter.key.lowercased() }
            case .path, .cookie: false
            }
        }
        let servers = outline.node["servers"] ?? outline.item["servers"]
        operation.server = servers.flatMap { Servers.first(in: $0, document.warnings) }
        operation.series = series[outline.id ?? outline.route] ?? series[outline.route] ?? series["*"]
        return operation
    }

    /// The path without a fragment and a query, which some documents use to tell operations apart.
    private func split(_ outline: OperationOutline) -> (path: String, query: [(name: String, value: String)]) {
        let withoutFragment = outline.path.prefix { $0 != "#" }
        let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = parts.count > 1 ? parts[1].split(separator: "&") : []
        let query = items.compactMap { item -> (name: String, value: String)? in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard !item.contains("{") else {
                document.warnings.add(outline.node.pointer, "“\(item)” in the path is left out: declare a parameter")
                return nil
            }
            return (pair[0], pair.count == 2 ? pair[1] : "")
        }
        if PathTemplate(String(parts[0])).hasBrace {
            document.warnings.add(outline.node.pointer, "the path has a brace without its other half")
        }
        return (String(parts[0]), query)
    }

    // MARK: Parameters

    /// Those of the path's item and of the operation, which replace the others; with those that only the path has.
    private func parameters(of operation: Operation) -> [Parameter] {
        var nodes: [(key: String, node: Node)] = []
        let lists = [operation.outline.item["parameters"], operation.outline.node["parameters"]]
        for node in lists.flatMap({ $0?.elements ?? [] }) {
            guard let node = document.resolved(node) else { continue }
            guard let name = node.text("name"), let location = node.text("in") else {
                document.warnings.add(node.pointer, "a parameter without name or place is left out")
                continue
            }
            let key = "\(location) \(name)"
            if let place = nodes.firstIndex(where: { $0.key == key }) {
                nodes[place].node = node
            } else {
                nodes.append((key, node))
            }
        }
        let template = PathTemplate(operation.path).parameterNames
        var parameters = nodes.compactMap { parameter($0.node, template: template, in: operation.scope) }
        for name in template.unique() where !parameters.contains(where: { $0.location == .path && $0.key == name }) {
            parameters.append(Parameter(location: .path, key: name, isRequired: true, type: .string))
        }
        return parameters
    }

    private func parameter(_ node: Node, template: [String], in scope: Scope) -> Parameter? {
        let key = node.text("name") ?? ""
        guard let location = ParameterLocation(rawValue: node.text("in") ?? "") else {
            document.warnings.add(node.pointer, "a parameter in “\(node.text("in") ?? "")” is left out")
            return nil
        }
        if location == .path, !template.contains(key) {
            document.warnings.add(node.pointer, "the path has no “{\(key)}”: the parameter is left out")
            return nil
        }
        if location == .header {
            // The kit sets them, by the types of bodies and by the credentials.
            if ["accept", "content-type", "authorization"].contains(key.lowercased()) { return nil }
            if Self.transportHeaders.contains(key.lowercased()) {
                document.warnings.add(node.pointer, "the header “\(key)” belongs to the transport and is left out")
                return nil
            }
        }
        if location == .header || location == .cookie, !key.isToken {
            document.warnings.add(node.pointer, "“\(key)” is no name of a \(location) and is left out")
            return nil
        }
        let (style, explodes) = node.style(in: location)
        let schema = node["schema"].flatMap(document.resolved)
        return Parameter(
            location: location,
            key: key,
            style: style,
            explodes: explodes,
            isRequired: location == .path || node.flag("required"),
            type: type(of: node, key, location, explodes || style == "deepObject", in: scope),
            defaultValue: schema?.usualValue,
            least: schema?.json["minimum"]?.integer,
            documentation: node.documentation ?? schema?.documentation,
            pointer: node.pointer
        )
    }

    /// The type of a parameter: a text where the schema's own type has none in a query.
    private func type(
        of node: Node,
        _ key: String,
        _ location: ParameterLocation,
        _ explodes: Bool,
        in scope: Scope
    ) -> SwiftType {
        let hasMembers = location == .query && explodes
        guard let schema = node["schema"] else {
            if node["content"] != nil { document.warnings.add(node.pointer, "“content”: give the value as its text") }
            return .string
        }
        let type = schemas.read(schema, at: .init(name: Identifier.type(key), scope: scope)).type
        if type.isQueryValue || type.declaration?.union != nil { return type }
        switch type {
        case .array(.json), .array(.optional): return .array(.string)
        case .array(let element) where !element.isQueryValue:
            document.warnings.add(node.pointer, "its elements have no value in a \(location): give each as its text")
            return .array(.string)
        case .dictionary where hasMembers: return .dictionary(.string)
        case .declared(let declaration) where hasMembers && declaration.structure != nil: return type
        case .json: return .string
        default:
            document.warnings.add(node.pointer, "no \(location) has such a value by itself: give it as its text")
            return .string
        }
    }

    private static let transportHeaders: Set<String> = [
        "content-length", "transfer-encoding", "host", "connection", "expect", "te", "trailer", "upgrade",
        "proxy-authorization", "proxy-connection", "keep-alive",
    ]
}

extension Node {
    /// The value that a schema gives for what is missing, or its only one.
    fileprivate var usualValue: JSON? { json["default"] ?? (knownValues?.count == 1 ? knownValues?[0] : nil) }
}
