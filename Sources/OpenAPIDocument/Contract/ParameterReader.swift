import Foundation

/// Reads the parameters of a request as their styles have them (OpenAPI 3.1, section 4.8.12).
struct ParameterReader {
    let request: SentRequest
    /// Those in the path, percent-encoded.
    let pathParameters: [String: String]
    let schemas: Schemas
    private let queryItems: TextTree.Items
    private let cookies: TextTree.Items
    /// The names of the query items that a parameter has read.
    private(set) var read: Set<String> = []

    init(_ request: SentRequest, pathParameters: [String: String], schemas: Schemas) {
        (self.request, self.pathParameters, self.schemas) = (request, pathParameters, schemas)
        (queryItems, cookies) = (request.queryItems, request.cookies)
    }

    /// The names of the query items that no parameter has read.
    var unread: [String] { queryItems.map(\.name).filter { !read.contains($0) } }

    /// The values that the parameter may have, of which one has to fit; none if it is absent. Values are texts, but for
    /// those that are JSON.
    mutating func values(of parameter: DocumentedParameter) -> [JSON] {
        switch parameter.location {
        case .path: return pathParameters[parameter.name].map { parameter.values(inText: $0, schemas) } ?? []
        case .header: return request.message[parameter.name].map { parameter.values(inText: $0, schemas) } ?? []
        case .cookie:
            return cookies.first { $0.name == parameter.name }.map { parameter.values(inText: $0.value, schemas) } ?? []
        case .query: return queryValues(of: parameter)
        }
    }

    private mutating func queryValues(of parameter: DocumentedParameter) -> [JSON] {
        let name = parameter.name
        let own = queryItems.filter { $0.name == name }
        if !own.isEmpty { read.insert(name) }
        guard !parameter.isJSON, let schema = parameter.schema else {
            return own.first.map { parameter.values(inText: $0.value, schemas) } ?? []
        }
        if parameter.style == "deepObject" {
            read.formUnion(queryItems.map(\.name).filter { $0.hasPrefix("\(name)[") })
            return TextTree.value(of: name, in: queryItems).map { [TextTree.fitted($0, to: schema, by: schemas)] } ?? []
        }
        guard parameter.explodes else { return own.first.map { parameter.values(inText: $0.value, schemas) } ?? [] }
        let outline = schemas.outline(of: schema)
        let texts = own.map { JSON.string($0.value.decoded) }
        var values: [JSON] = []
        if outline.types.contains(where: \.isScalar), texts.count == 1 { values.append(texts[0]) }
        if outline.types.contains(.array), !texts.isEmpty { values.append(.array(texts)) }
        guard outline.types.contains(.object), !outline.types.isAll else {
            // Of a scalar that is there twice, no value fits.
            return values.isEmpty && !texts.isEmpty ? [.array(texts)] : values
        }
        let members = queryItems.filter { item in
            outline.members[item.name] != nil || outline.allowsOtherMembers && !read.contains(item.name)
        }
        guard !members.isEmpty else { return values }
        read.formUnion(members.map(\.name))
        let groups = members.map(\.name).unique().map { member in
            let texts = members.filter { $0.name == member }.map { JSON.string($0.value.decoded) }
            return (member, texts.count == 1 ? texts[0] : .array(texts))
        }
        return values + [TextTree.fitted(.members(groups), to: schema, by: schemas)]
    }
}
