/// A response to a GraphQL call (GraphQL, section 7.1).
enum GraphQLReply {
    /// The media type of responses (GraphQL over HTTP).
    static let type = "application/graphql-response+json"

    /// The contents of a response. Errors count more than data.
    enum Content<Model: Decodable>: Decodable {
        case data(Model)
        case errors([GraphQLError])

        private enum CodingKeys: CodingKey { case data, errors }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let errors = try members.decodeIfPresent([GraphQLError].self, forKey: .errors) ?? []
            self = errors.isEmpty ? .data(try members.decode(Model.self, forKey: .data)) : .errors(errors)
        }
    }

    /// Any value of JSON but `null`, not decoded.
    struct Anything: Decodable {
        init(from decoder: any Decoder) throws {
            guard try decoder.singleValueContainer().decodeNil() else { return }
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "There is no data.")
            throw DecodingError.valueNotFound(Anything.self, context)
        }
    }
}
