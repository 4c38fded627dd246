import APIBaseKit

struct GraphQLError: Decodable, Equatable, Sendable {
    struct Extensions: Decodable, Equatable, Sendable { var code: String? }
    var message: String
    var path: [String]?
    var extensions: Extensions?
}

/// The errors of a query whose status was 200.
struct GraphQLFailure: LocalizedError, Equatable {
    var errors: [GraphQLError]
    var errorDescription: String? { errors.map(\.message).joined(separator: "; ") }
}

/// A query. Its result is the `data` of the response; `errors` fail the call.
class GraphQLAPI: ShopAPI {
    private struct Query<Variables: Encodable & Sendable>: Encodable, Sendable {
        var query: String
        var variables: Variables
    }

    private struct Envelope<Model: Decodable>: Decodable {
        var data: Model?
        var errors: [GraphQLError]?
    }

    init(query: String, variables: some Encodable & Sendable) {
        super.init(.post("/graphql", json: Query(query: query, variables: variables)))
    }

    override func configure() {
        super.configure()
        encoder.keyEncodingStrategy = .useDefaultKeys
        idempotencyKey = .automatic
    }

    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        let envelope = try super.decode(Envelope<Model>.self, from: data)
        guard let model = envelope.data, (envelope.errors ?? []).isEmpty else {
            throw GraphQLFailure(errors: envelope.errors ?? [])
        }
        return model
    }
}

final class ProductQuery: GraphQLAPI, Request {
    struct ModelType: Decodable, Equatable, Sendable {
        struct Product: Decodable, Equatable, Sendable {
            var id: String
            var displayName: String
        }
        var product: Product?
    }

    init(id: Int) {
        super.init(query: "query($id: ID!) { product(id: $id) { id displayName } }", variables: ["id": id])
    }
}
