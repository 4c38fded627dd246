/// A parameter of an operation, or a header of a reply.
struct DocumentedParameter: Sendable {
    enum Location: String, Sendable {
        case path, query, header, cookie
    }

    let location: Location
    let name: String
    let style: String
    let explodes: Bool
    let isRequired: Bool
    let allowsEmptyValue: Bool
    /// The schema of the value; `nil` if the document has none.
    let schema: Node?
    /// Whether the value is JSON, by the media type of `content`.
    let isJSON: Bool
    let pointer: String

    init?(_ node: Node, in root: Node) {
        guard let name = node.text("name"), let location = Location(rawValue: node.text("in") ?? "") else { return nil }
        self.init(node, name: name, location: location)
    }

    /// Reads a header of a reply, whose name stands before it.
    init(header node: Node, name: String) { self.init(node, name: name, location: .header) }

    private init(_ node: Node, name: String, location: Location) {
        (self.name, self.location, pointer) = (name, location, node.pointer)
        style = node.text("style") ?? (location == .path || location == .header ? "simple" : "form")
        explodes = node.json["explode"]?.bool ?? (style == "form" || style == "deepObject")
        isRequired = location == .path || node.flag("required")
        allowsEmptyValue = node.flag("allowEmptyValue")
        let content = node["content"]?.members.first
        schema = node["schema"] ?? content?.node["schema"]
        isJSON = content.map { MediaType($0.name).isJSON } ?? false
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
    func parameters(in root: Node) -> [DocumentedParameter] {
        var names: [String: Int] = [:]
        var parameters: [DocumentedParameter] = []
        for list in [item["parameters"], node["parameters"]] {
            for element in list?.elements ?? [] {
                guard let element = element.resolved(in: root), let parameter = DocumentedParameter(element, in: root)
                else { continue }
                // Those of bodies and credentials (OpenAPI 3.1, section 4.8.12.1).
                let isOwn = ["accept", "content-type", "authorization"].contains(parameter.name.lowercased())
                if parameter.location == .header, isOwn { continue }
                let key = "\(parameter.location) \(parameter.name)"
                if let place = names[key] {
                    parameters[place] = parameter
                } else {
                    names[key] = parameters.count
                    parameters.append(parameter)
                }
            }
        }
        return parameters
    }
}
