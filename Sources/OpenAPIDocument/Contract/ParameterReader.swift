import Foundation

/// Reads the parameters of a request as their styles have them (OpenAPI 3.1, section 4.8.12).
struct ParameterReader {
    private let request: SentRequest
    /// Those in the path, percent-encoded.
    private let pathParameters: [String: String]
    private let schemas: Schemas
    private let queryItems: TextTree.Items
    /// The same by their names, and by what stands before a bracket in these.
    private let itemsByName: [String: TextTree.Items]
    private let itemsByPrefix: [String: TextTree.Items]
    private let cookies: [String: String]
    /// The names of the query items that a parameter has read.
    private var read: Set<String> = []

    init(_ request: SentRequest, _ pathParameters: [String: String], _ schemas: Schemas) {
        (self.request, self.pathParameters, self.schemas) = (request, pathParameters, schemas)
        queryItems = request.queryItems
        itemsByName = Dictionary(grouping: queryItems, by: \.name)
        itemsByPrefix = Dictionary(grouping: queryItems) { String($0.name.prefix { $0 != "[" }) }
        cookies = Dictionary(request.cookies.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The names of the query items that no parameter has read.
    var unread: [String] { queryItems.map(\.name).filter { !read.contains($0) } }

    /// The values that the parameter may have, of which one has to fit; none if it is absent. Values are texts, but for
    /// those that are JSON.
    mutating func values(of parameter: DocumentedParameter) -> [JSON] {
        let name = parameter.name
        switch parameter.location {
        case .path: return pathParameters[name].map(parameter.values) ?? []
        case .header: return request.message[name].map(parameter.values) ?? []
        case .cookie: return cookies[name].map(parameter.values) ?? []
        case .query where parameter.style == "deepObject":
            let items = (itemsByPrefix[String(name.prefix { $0 != "[" })] ?? []).filter {
                $0.name == name || $0.name.hasPrefix("\(name)[")
            }
            read.formUnion(items.map(\.name))
            let tree = TextTree.value(of: name, in: items.map { ($0.name, $0.value.decoded) })
            return tree.map { [TextTree.fitted($0, to: parameter.schema, by: schemas)] } ?? []
        case .query:
            let own = (itemsByName[name] ?? []).map(\.value)
            if !own.isEmpty { read.insert(name) }
            guard parameter.explodes, !parameter.isJSON else {
                return own.isEmpty ? [] : parameter.values(inText: own.joined(separator: ","))
            }
            return explodedValues(own.map { .string($0.decoded) }, of: parameter)
        }
    }

    /// The values of a parameter whose elements or members are items of their own.
    private mutating func explodedValues(_ texts: [JSON], of parameter: DocumentedParameter) -> [JSON] {
        let (types, members) = (parameter.outline.types, parameter.outline.members)
        var values: [JSON] = []
        if texts.count == 1, types.contains(where: \.isScalar) { values.append(texts[0]) }
        if !texts.isEmpty, types.contains(.array), !types.isAll || texts.count > 1 {
            values.append(.array(texts == [""] ? [] : texts))
        }
        guard parameter.isObject else {
            // Of a scalar that is there twice, no value fits.
            return values.isEmpty && !texts.isEmpty ? [.array(texts)] : values
        }
        let items = queryItems.filter { item in
            members[item.name] != nil || parameter.takesOtherItems && !read.contains(item.name)
        }
        read.formUnion(items.map(\.name))
        let groups = items.grouped(by: \.name).map { name, items in
            let texts = items.map { JSON.string($0.value.decoded) }
            return (name, texts.count == 1 ? texts[0] : .array(texts))
        }
        // An object without members is sent as nothing.
        let object = TextTree.fitted(.members(groups), to: parameter.schema, by: schemas)
        return groups.isEmpty && (!parameter.isRequired || !values.isEmpty) ? values : values + [object]
    }
}
