/// The errors in the response to a GraphQL call (GraphQL, section 7.1.6).
public struct GraphQLErrors: Error, Sendable, Hashable {
    /// The errors, at least one.
    public private(set) var errors: [GraphQLError]

    /// The bytes of the response's `data`, which may be incomplete; `nil` if there is none, or it is `null`.
    public let data: Data?

    private let decoder: BodyDecoder

    init(_ errors: [GraphQLError], in body: Data, by decoder: BodyDecoder) {
        self.errors = errors
        self.decoder = decoder
        let data = body.value(ofMember: "data")
        self.data = data == Data("null".utf8) ? nil : data
    }

    /// Reads the errors of a response; `nil` if it has none, or is no response to a GraphQL call.
    init?(in body: Data, by decoder: BodyDecoder) {
        let content = try? decoder.decode(GraphQLReply.Content<GraphQLReply.Anything?>.self, from: body)
        guard case .errors(let errors) = content else { return nil }
        self.init(errors, in: body, by: decoder)
    }

    /// Decodes the ``data``, with the settings of the ``JSONAPI/decoder`` of the call.
    ///
    /// The server sends `null` for each field that has failed, or for the nearest field around it that may be `null`.
    ///
    /// - Throws: `DecodingError`, also if there is no data.
    public func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
        guard let data else {
            throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "There is no data."))
        }
        return try decoder.decode(type, from: data)
    }
}

extension GraphQLErrors: ErrorWithSecrets {
    package func removing(_ secrets: RequestSecrets) -> GraphQLErrors {
        var copy = self
        for index in copy.errors.indices { copy.errors[index].secrets = copy.errors[index].secrets.and(secrets) }
        return copy
    }
}

extension GraphQLErrors: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// The messages of the first three errors, each up to 300 characters, without control characters, values of secret
    /// names, and secrets of the request in any spelling.
    public var description: String {
        let messages = errors.prefix(3).map(\.description)
        let more = errors.count > messages.count ? " and \(errors.count - messages.count) more" : ""
        return "The response has errors: \(messages.joined(separator: ", "))\(more)."
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["errors": description]) }
}

/// One error in the response to a GraphQL call (GraphQL, section 7.1.6). Members with a wrong type are ignored.
public struct GraphQLError: Sendable, Hashable {
    /// A place in the query.
    public struct Location: Sendable, Hashable, Decodable {
        /// The line, from 1.
        public let line: Int
        /// The column, from 1.
        public let column: Int
    }

    /// The message, for developers. Empty if the server sends none.
    public let message: String
    /// The places in the query that the error is about.
    public let locations: [Location]
    /// The field of `data` that has failed: names, and indexes in lists. Empty if the error is about the whole query.
    public let path: [JSONValue]
    /// The members that the server adds.
    public let extensions: [String: JSONValue]
    /// The secrets of the request, which the description leaves out.
    var secrets = RequestSecrets.none

    /// The code in the ``extensions``, by which most servers tell errors apart; `nil` if there is none.
    public var code: String? { extensions["code"]?.string }
}

extension GraphQLError: CustomStringConvertible, CustomReflectable {
    /// The message, up to 300 characters of it, and the code, without control characters, values of secret names, and
    /// secrets of the request.
    public var description: String {
        "“\(HTTPFailure.presentable(message, without: secrets))”"
            + (code.map { " (\(HTTPFailure.presentable($0, without: secrets)))" } ?? "")
    }

    /// The mirror for `dump`: the description only, since the rest may repeat the variables.
    public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}

extension GraphQLError: Decodable {
    private enum CodingKeys: CodingKey { case message, locations, path, extensions }

    /// Decodes an error.
    ///
    /// - Throws: `DecodingError` if it is no object.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        message = (try? members.decode(String.self, forKey: .message)) ?? ""
        locations = (try? members.decode([Location].self, forKey: .locations)) ?? []
        path = (try? members.decode([JSONValue].self, forKey: .path)) ?? []
        extensions = (try? members.decode([String: JSONValue].self, forKey: .extensions)) ?? [:]
    }
}
