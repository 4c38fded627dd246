import APIBaseKit

/// What all calls of the shop share. The server and the credentials belong to a ``Shop``.
class ShopAPI: JSONAPI {
    static let gate = CallGate(concurrent: 8, perSecond: 25, burst: 5)
    static let cache = ResponseCache()

    override func configure() {
        super.configure()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .rfc3339
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .rfc3339
        retry = RetryPolicy(attempts: 5, deadline: .seconds(60))
        gate = Self.gate
        timeout = .seconds(20)
    }

    override func detail(of failure: HTTPFailure) -> (any Error)? {
        try? failure.decode(Problem.self)
    }
}

/// One merchant: a server and the client's credentials there.
struct Shop: Sendable {
    var url: URL
    var id: String
    var secret: String

    /// The account of this shop. Keep it: it holds the tokens.
    var account: APIAccount {
        let tokens = TokenSource.clientCredentials(
            at: url.appendingPathComponent("oauth/token"),
            id: id,
            secret: secret
        )
        return APIAccount(baseURL: url.appendingPathComponent("v1"), authorization: .tokens(tokens))
    }
}

/// A problem (RFC 9457) with the members that this shop adds.
struct Problem: Decodable, LocalizedError, Equatable {
    struct InvalidParam: Decodable, Equatable {
        var fieldName: String
        var errorReason: String
    }

    var status: Int
    var title: String
    var detail: String
    var errorCode: String
    var invalidParams: [InvalidParam]
    var requestId: String
    var occurredAt: Date

    var errorDescription: String? { "\(title): \(detail)" }
}
