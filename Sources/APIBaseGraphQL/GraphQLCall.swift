import Basics
import HTTPTransport

/// The parameters of a GraphQL call (GraphQL over HTTP, section 5).
struct GraphQLCall {
    /// The parameters by name: a dictionary, whose names no setting of an encoder changes.
    private var parameters: [String: Parameter] = [:]

    init(_ form: QueryForm, of query: String, named name: String?, with variables: (any Encodable)?) {
        if form != .hash { parameters["query"] = Parameter(query) }
        if form != .text {
            let hash: JSONValue = ["version": 1, "sha256Hash": .string(SHA256.hex(of: query))]
            parameters["extensions"] = Parameter(["persistedQuery": hash] as JSONValue)
        }
        if let name { parameters["operationName"] = Parameter(name) }
        if let variables { parameters["variables"] = Parameter(variables) }
    }

    func body(by encoder: JSONEncoder) throws -> Data { try encoder.encode(parameters) }

    /// The parameters in a body as items of a URL's query, sorted by name.
    static func queryItems(of body: Data) throws -> [URLQueryItem] {
        try JSONDecoder().decode([String: JSONValue].self, from: body).keys.sorted().map { name in
            let value = body.value(ofMember: name) ?? Data()
            let text = try? JSONDecoder().decode(String.self, from: value)
            return URLQueryItem(name: name, value: text ?? String(decoding: value, as: UTF8.self))
        }
    }

    /// The form with the parameters and files, which are sorted by their places.
    func form(with files: [String: HTTPBody], by encoder: JSONEncoder) throws -> HTTPBody {
        let places = files.keys.sorted()
        var operations = try JSONDecoder().decode(JSONValue.self, from: body(by: encoder))
        for place in places { operations.setNull(at: place.split(separator: ".")[...]) }
        let map = Dictionary(uniqueKeysWithValues: places.enumerated().map { ("\($0)", [$1]) })
        let plain = JSONEncoder()
        plain.outputFormatting = .sortedKeys
        let fields = try [
            MultipartPart(name: "operations", content: .data(plain.encode(operations), type: "application/json")),
            MultipartPart(name: "map", content: .data(plain.encode(map), type: "application/json")),
        ]
        let parts = places.enumerated().map { number, place in
            let content = files[place] ?? .none
            let name = content.fileName ?? place.split(separator: ".").last.map(String.init)
            return MultipartPart(name: "\(number)", fileName: name, content: content)
        }
        return .multipart(fields + parts)
    }
}

/// A value of any type.
private struct Parameter: Encodable {
    let value: any Encodable

    init(_ value: any Encodable) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension JSONValue {
    /// Sets a `null` at a place, whose objects and arrays are made where they are missing.
    fileprivate mutating func setNull(at place: ArraySlice<Substring>) {
        guard let name = place.first else { return self = .null }
        if var elements = array, let index = Int(name), 0...elements.count ~= index {
            if index == elements.count { elements.append(.null) }
            elements[index].setNull(at: place.dropFirst())
            self = .array(elements)
        } else {
            var members = object ?? [:]
            members[String(name), default: .null].setNull(at: place.dropFirst())
            self = .object(members)
        }
    }
}
