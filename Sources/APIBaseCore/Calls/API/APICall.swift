import Basics

/// A call of an endpoint in one line, for an API whose endpoints have nothing to say but their address and their type
/// of value:
///
/// ```swift
/// extension BooksAPI {
///     static func book(_ id: Int) -> APICall<Book> { BooksAPI(.get("/books/\(segment: id)")).call() }
///     static func delete(_ id: Int) -> APICall<Void> { BooksAPI(.delete("/books/\(segment: id)")).call() }
/// }
///
/// let book = try await BooksAPI.book(7).value()
/// ```
///
/// It is a ``Request`` like a leaf class: it has the settings, hooks, stubs and features of the class of its request
/// object. An endpoint with settings, hooks or events of its own is a leaf class.
public struct APICall<ModelType>: Request {
    /// The request object.
    public let api: JSONAPI
    @usableFromInline let publisher: (JSONAPI) -> AnyPublisher<ModelType, any Error>

    @usableFromInline init(_ api: JSONAPI, _ publisher: @escaping (JSONAPI) -> AnyPublisher<ModelType, any Error>) {
        (self.api, self.publisher) = (api, publisher)
    }

    /// The call, as that of a leaf class with this type of value.
    @inlinable public func start() -> AnyPublisher<ModelType, any Error> { publisher(api) }
}

extension APICall {
    /// Makes this a call of an account: see ``APIBase/on(_:)``.
    @discardableResult
    public func on(_ account: APIAccount) -> Self {
        api.on(account)
        return self
    }

    /// Changes the settings of the request object: `BooksAPI.book(7).with { $0.timeout = .seconds(2) }.value()`.
    ///
    /// - Returns: This call.
    /// - Throws: The errors of `change`.
    public func with(_ change: (JSONAPI) throws -> Void) rethrows -> Self {
        try change(api)
        return self
    }
}

extension Request where Self: APIBase {
    /// Changes the settings of the request object: `BookRequest(id: 7).with { $0.timeout = .seconds(2) }.value()`.
    ///
    /// - Returns: This object.
    /// - Throws: The errors of `change`.
    public func with(_ change: (Self) throws -> Void) rethrows -> Self {
        try change(self)
        return self
    }
}

extension JSONAPI {
    /// A call of this request object whose value is the decoded body, as with ``decoded(_:)``.
    @inlinable public func call<Model: Decodable>(_ type: Model.Type = Model.self) -> APICall<Model> {
        APICall(self) { $0.decoded(type) }
    }

    /// A call of this request object that gives a value when the response is accepted, and ignores the body.
    @inlinable public func call(_ type: Void.Type = Void.self) -> APICall<Void> { APICall(self) { $0.accepted() } }

    /// A call of this request object whose value is the body, not decoded.
    @inlinable public func call(_ type: Data.Type = Data.self) -> APICall<Data> { APICall(self) { $0.bytes() } }

    /// A call of this request object whose value is a text, as that of a leaf class for a `String`.
    @inlinable public func call(_ type: String.Type = String.self) -> APICall<String> { APICall(self) { $0.text() } }

    /// Sends the request, and returns the decoded body: `try await BooksAPI(.get("/books/7")).value(of: Book.self)`.
    ///
    /// - Throws: The errors of ``Request/value()``.
    @inlinable nonisolated(nonsending) public func value<Model: Decodable>(of type: Model.Type) async throws -> Model {
        try await call(type).value()
    }

    /// Sends the request, and ignores the body of the response.
    @inlinable nonisolated(nonsending) public func value(of type: Void.Type) async throws {
        try await call(type).value()
    }

    /// Sends the request, and returns the body, not decoded.
    @inlinable nonisolated(nonsending) public func value(of type: Data.Type) async throws -> Data {
        try await call(type).value()
    }

    /// Sends the request, and returns a text, as a leaf class for a `String`.
    @inlinable nonisolated(nonsending) public func value(of type: String.Type) async throws -> String {
        try await call(type).value()
    }
}

extension JSONAPI {
    @inlinable func accepted() -> AnyPublisher<Void, any Error> { sendRequest().mapResponses { _ in } }

    @inlinable func bytes() -> AnyPublisher<Data, any Error> { sendRequest().mapResponses { $0.data } }
}
