import HTTPTransport

/// The base class of a GraphQL API (GraphQL over HTTP), whose leaves name a query and the type of its `data`.
///
/// ```swift
/// class SpaceAPI: GraphQLAPI {
///     override class var baseURL: URL? { URL(string: "https://space.example/graphql") }
/// }
///
/// final class ShipQuery: SpaceAPI, GraphQLRequest {
///     struct ModelType: Decodable { var ship: Ship? }
///     static let query = "query Ship($id: ID!) { ship(id: $id) { name } }"
///     init(id: String) { super.init(variables: ["id": id]) }
/// }
/// ```
///
/// A call is a `POST` to ``JSONAPI/baseURL`` with the query, its name and its variables as JSON. A response with
/// `errors` fails with ``GraphQLErrors``, also one with status 200. A response without them is decoded from its `data`.
/// The rest of ``JSONAPI``, such as credentials and retries, works as usual: a query, which has no effects, can
/// be tried again although it is a `POST`, and a mutation only with an ``APIBase/idempotencyKey``.
nonisolated open class GraphQLAPI: JSONAPI {
    /// The values of the variables, `nil` for none.
    ///
    /// They are encoded as an object by ``JSONAPI/encoder``, whose settings apply to their names too.
    public var variables: (any Encodable)? { ownVariables.value }
    private let ownVariables: NonReflecting<(any Encodable)?>

    /// The way in which queries are named by their hashes: ``PersistedQueries/none`` by default.
    open var persistedQueries: PersistedQueries = .none

    /// Creates a call.
    ///
    /// - Parameter variables: The values of the variables, such as a struct or a dictionary; `nil` for none. They must
    ///   not be changed while a call is under way.
    public init(variables: (any Encodable)? = nil) {
        ownVariables = NonReflecting(value: variables)
        super.init(.post(""))
        features[Replacement.self] = .shared
    }

    /// Creates a call that uploads files (GraphQL multipart request specification).
    ///
    /// ```swift
    /// super.init(files: ["variables.photo": .file(url, type: "image/png")])
    /// ```
    ///
    /// The body is a form with the query, the variables with `null` at the places of the files, and the files, which
    /// are read while they are sent. It is made here, so ``JSONAPI/encoder`` is set in ``JSONAPI/configure()``. If the
    /// variables cannot be encoded, building the request fails with the encoder's error.
    ///
    /// - Parameters:
    ///   - variables: The other variables.
    ///   - files: The files by their places, such as `variables.photos.0`. A body that is not a file has the last name
    ///     of its place as its file name.
    public init(variables: (any Encodable)? = nil, files: [String: HTTPBody]) {
        ownVariables = NonReflecting(value: variables)
        super.init(.post(""))
        features[Replacement.self] = .shared
        do {
            content = try call(.text).form(with: files, by: encoder)
        } catch {
            content = .failed(error)
        }
    }

    /// Sets the accepted media types: `application/graphql-response+json`, and `application/json`.
    open override func configure() {
        super.configure()
        acceptedTypes = [GraphQLReply.type, "application/json"]
    }

    /// The query, its name and its variables.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` if this class is no ``GraphQLRequest``, and the errors of the
    ///   encoder.
    open override func encodeBody() throws -> Data? { try call(form).body(by: encoder) }

    /// Builds the request: a `POST`, or a `GET` for a query that is named by its hash.
    ///
    /// - Throws: ``RequestError/unreadablePage(_:)`` for a page of a list that is named by query items, since the server
    ///   reads ``NextPage/variables(_:)`` only.
    open override func buildURLRequest() throws -> URLRequest {
        if RequestChange.of(self)?.isOfQuery == true { throw RequestError.unreadablePage(Self.queryOfPage) }
        let request = try super.buildURLRequest()
        guard form == .hash, operation?.kind == .query, let body = request.httpBody else { return request }
        return try request.asGET(with: GraphQLCall.queryItems(of: body))
    }

    private static let queryOfPage = "A GraphQL call has its cursor among its variables: NextPage.variables(_:)."

    /// The error of a response that is not accepted: ``GraphQLErrors`` if it is of the type
    /// `application/graphql-response+json` and has errors, or else ``RequestError/httpFailure(_:)``.
    open override func error(for failure: HTTPFailure) -> any Error {
        guard let type = failure.headers["Content-Type"], MediaType(type) == MediaType(GraphQLReply.type),
            let errors = GraphQLErrors(in: failure.body, by: bodyDecoder)
        else { return super.error(for: failure) }
        return errors
    }

    /// Decodes the `data` of a response.
    ///
    /// - Throws: The error of ``accept(_:)`` if the response has errors, and `DecodingError`, whose path begins with
    ///   `data`.
    open override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        switch try super.decode(GraphQLReply.Content<Model>.self, from: data) {
        case .data(let model): return model
        case .errors(let errors):
            let errors = GraphQLErrors(errors, in: data, by: bodyDecoder)
            try accept(errors)
            do { return try errors.decode(type) } catch { throw errors }
        }
    }

    /// Decides about a response with errors, which may have a part of the data: by default it throws the errors.
    ///
    /// Override it to take that part, such as the pages of a list in which some elements have failed. The fields that
    /// have failed are `null` there, so the model needs optionals.
    ///
    /// ```swift
    /// override func accept(_ errors: GraphQLErrors) throws {
    ///     logger.warning("\(errors)")
    /// }
    /// ```
    ///
    /// The pages of a list are calls of one object, so what it keeps is of all of them.
    ///
    /// - Throws: The error of the call. Without one, the data is decoded; if that is no value of the model, or there is
    ///   none, the call fails with the errors all the same.
    open func accept(_ errors: GraphQLErrors) throws { throw errors }

    /// The delay before a call is tried again. For a query, ``APIBase/retry`` counts `POST` among its methods, since a
    /// query has no effects (GraphQL, section 2.3).
    open override func retryDelay(after attempt: RetryPolicy.FailedAttempt) -> Duration? {
        let delay = super.retryDelay(after: attempt)
        guard delay == nil, operation?.kind == .query else { return delay }
        var policy = retry
        policy.methods.insert(.post)
        let result = attempt.result.map { CallResponse($0) }
        return try? policy.proposal(after: result, of: attempt.request, number: attempt.number, isRefresh: false).get()
    }

    // MARK: Persisted queries

    /// Whether a response may ask for another request.
    var mayReplaceRequest: Bool { persistedQueries == .automatic && content == nil }

    /// The request that is sent in place of the one with this response; `nil` to accept the response.
    func replacement(after reply: CallResponse) throws -> URLRequest? {
        guard let form = GraphQLErrors.formAsked(by: reply.data) else { return nil }
        return try CallLocals.with(QueryForm.self, form) { try buildURLRequest() }
    }

    /// The form in which this call sends its query. A call with files sends the text.
    private var form: QueryForm {
        if content != nil { return .text }
        return switch persistedQueries {
        case .none: .text
        case .automatic: CallLocals.here[QueryForm.self]
        case .registered: .hash
        }
    }
}

extension GraphQLAPI {
    private var leaf: (any GraphQLRequest.Type)? { type(of: self) as? any GraphQLRequest.Type }

    /// The operation that the server performs; `nil` if the document has none of that name.
    private var operation: GraphQLDocument.Operation? {
        guard let leaf else { return nil }
        let name = leaf.operationName
        let operations = GraphQLDocument.operations(in: leaf.query)
        return operations.first { $0.name == name } ?? operations.first
    }

    private func call(_ form: QueryForm) throws -> GraphQLCall {
        guard let leaf else { throw RequestError.invalidRequest(.init(.body, .missing)) }
        return GraphQLCall(form, of: leaf.query, named: leaf.operationName, with: variables)
    }
}

extension URLRequest {
    /// This request as a `GET`, with these query items in place of its body.
    fileprivate func asGET(with items: [URLQueryItem]) throws(RequestError) -> URLRequest {
        var request = self
        do throws(RequestError.InvalidURL) {
            request.url = try URLBuilder(base: url, path: "", queryItems: items).url()
        } catch {
            throw .invalidURL(error)
        }
        request.httpMethod = HTTPMethod.get.rawValue
        request.httpBody = nil
        for name in ["Content-Type", "Content-Length"] { request.setValue(nil, forHTTPHeaderField: name) }
        return request
    }
}
