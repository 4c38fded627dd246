import Basics

/// The base class of a JSON API, with which a leaf class only names its endpoint and its type of value.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     override class var baseURL: URL? { URL(string: "https://books.example/v2") }
/// }
///
/// final class BookRequest: BooksAPI, Request {
///     typealias ModelType = Book
///     init(id: Int) { super.init(.get("/books/\(segment: id)")) }
/// }
/// ```
///
/// A leaf conforms to ``Request`` and names its `ModelType`. Its `start()` is provided: for a `Decodable` it decodes
/// the response, for `Void` it ignores the body, for `Data` it returns the bytes, and for `String` also a text that is
/// not JSON. A leaf can write its own instead.
///
/// `Accept` and `Content-Type` are `application/json`, unless ``APIBase/headers``, ``APIBase/content`` or
/// ``APIBase/contentType`` say otherwise.
nonisolated open class JSONAPI: APIBase {
    /// The decoder of responses. Each request object has its own, so an API class sets it up in ``configure()``.
    ///
    /// Usually a ``/StrictJSON/StrictJSONDecoder`` with the same settings decodes in its place: see ``usesStrictJSON``.
    open var decoder: JSONDecoder {
        get { shared.withLock { $0.coders.decoder } }
        set {
            var decoder = newValue
            shared.withLock { swap(&$0.coders.decoder, &decoder) }
        }
    }

    /// Whether a ``/StrictJSON/StrictJSONDecoder`` decodes responses, in a fraction of the time of Foundation's
    /// decoder.
    ///
    /// It gives the same values, and refuses text that is not JSON (RFC 8259); its documentation lists the differences.
    /// ``decoder`` itself is used for JSON5, `assumesTopLevelDictionary`, and subclasses of `JSONDecoder`. If the
    /// call is canceled or its deadline passes meanwhile, it decodes to the end, but for a ``JSONValue`` and choices of
    /// a generated API.
    ///
    /// `true` by default. On Apple systems its speed has not been measured.
    open var usesStrictJSON = true

    /// The encoder of ``json``; each request object has its own. It sorts keys by default, so that each attempt sends
    /// the same bytes.
    open var encoder: JSONEncoder {
        get { shared.withLock { $0.coders.encoder } }
        set {
            var encoder = newValue
            shared.withLock { swap(&$0.coders.encoder, &encoder) }
        }
    }

    /// The body as a value, encoded for every attempt. It takes precedence over ``APIBase/body``; ``APIBase/content``
    /// takes precedence over it.
    open var json: (any Encodable)? {
        get { ownBody.value }
        set { ownBody.value = newValue }
    }
    private var ownBody = NonReflecting<(any Encodable)?>(value: nil)

    /// The base URL of the API, which is the initial ``APIBase/baseURL`` of its requests: by default the first of
    /// ``APIBase/baseURLs``, or `nil`.
    ///
    /// ``APIBase/useBaseURL(_:)`` changes it for a process, ``APIBase/withBaseURL(_:isolation:_:)`` for a scope or a
    /// test.
    open class var baseURL: URL? { baseURLs.first }

    /// Creates a request without an endpoint.
    public override init() {
        super.init()
        prepare()
        configure()
        checkConfiguration()
    }

    /// Creates a request to an endpoint: `super.init(.post("/books", json: book))`.
    public init(_ endpoint: Endpoint) {
        super.init()
        prepare()
        method = endpoint.method
        path = endpoint.path.text
        pathTemplate = endpoint.path.template
        query = endpoint.query
        json = endpoint.json
        content = endpoint.content
        configure()
        checkConfiguration()
    }

    /// Sets what all calls of an API share. By default it does nothing. Called once, at the end of ``init(_:)`` and
    /// ``init()``, when the endpoint has been set; what a leaf sets in its own initializer comes later.
    ///
    /// ```swift
    /// class BooksAPI: JSONAPI {
    ///     static let tokens = TokenSource { … }
    ///
    ///     override func configure() {
    ///         super.configure()
    ///         retry = .standard
    ///         authorization = .tokens(Self.tokens)
    ///     }
    /// }
    /// ```
    ///
    /// An API class overrides this method in place of an initializer, so a new setting changes no leaf. All stored
    /// properties of the object have their values. In a chain of classes, each calls `super` first: without that, the
    /// settings of the classes above are lost, which a debug build says on the standard error, once for each class.
    open func configure() { isConfigured = true }

    /// Whether the settings of all classes were made.
    private var isConfigured = false
    #if DEBUG
    static let unconfigured = Locked<Set<ObjectIdentifier>>([])
    #endif

    private func checkConfiguration() {
        #if DEBUG
        guard !isConfigured, Self.unconfigured.withLock({ $0.insert(ObjectIdentifier(Swift.type(of: self))).inserted })
        else {
            return
        }
        let text =
            "\(Swift.type(of: self)): a configure() does not call super.configure(), "
            + "so the settings of the classes above it are not made.\n"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        #endif
    }

    private func prepare() {
        baseURL = Self.baseURL
        headers = Self.headersForJSON
        contentType = Self.type
    }

    private static let type = "application/json"
    private static let headersForJSON: HTTPHeaders = ["Accept": type]

    /// The accepted media types of responses, as in `hasContentType(in:)`: by default JSON, and types with the suffix
    /// `+json` (RFC 6839, section 3.1).
    ///
    /// A leaf with other bytes sets it: `acceptedTypes = ["image/*"]`, or `["*/*"]` for any type or none. Setting it
    /// also sets the `Accept` header.
    open var acceptedTypes = JSONAPI.typesOfJSON {
        didSet { headers["Accept"] = acceptedTypes.joined(separator: ", ") }
    }

    /// Accepts text too, but for less than JSON, unless something else is set.
    @usableFromInline func acceptText() {
        guard acceptedTypes == Self.typesOfJSON else { return }
        let accept = headers["Accept"]
        acceptedTypes.append("text/*")
        headers["Accept"] = accept == Self.type ? "\(Self.type), text/*;q=0.9" : accept
    }

    private static let typesOfJSON = [type, "application/*+json"]
    private static let rangesOfJSON = typesOfJSON.map(MediaRange.init)

    /// The body: ``json``, encoded by ``encoder``, or else ``APIBase/body``.
    ///
    /// - Throws: The errors of the encoder.
    open override func encodeBody() throws -> Data? {
        guard let json else { return try super.encodeBody() }
        return try encoder.encode(json)
    }

    /// The call, whose response must have a status of 2xx, and a body of one of ``acceptedTypes`` or none.
    ///
    /// - Returns: A publisher that fails with ``error(for:)`` for another status, and with
    ///   ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another type.
    open override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        CallSource(of: self, checking: check).publisher
    }

    private func check(_ reply: CallResponse) throws {
        guard 200..<300 ~= reply.head.statusCode else {
            throw refusal(HTTPFailure(reply.tuple).removing(deliveredSecrets))
        }
        let types = acceptedTypes
        let ranges = types == Self.typesOfJSON ? Self.rangesOfJSON : types.map(MediaRange.init)
        do {
            try RequestError.refuseContentType(of: reply, unless: ranges, by: bodyDecoder)
        } catch {
            throw recorded(error)
        }
    }

    /// The error of a response that cannot be read, which is recorded as that of the call.
    func recorded(_ error: any Error) -> any Error {
        let error = error.without(deliveredSecrets)
        record(error)
        return error
    }

    /// Reads the API's own error in a response whose status is not accepted, or in an event that reports a failure
    /// (``EventRequest``), which then has the place of the body: by default `nil`.
    ///
    /// ```swift
    /// override func detail(of failure: HTTPFailure) -> (any Error)? {
    ///     try? failure.decode(Problem.self)
    /// }
    /// ```
    ///
    /// The call fails with ``RequestError/httpFailure(_:)`` all the same, which keeps the status, the headers, the body
    /// and the URL, and has this error in ``HTTPFailure/detail(as:)``. If it is a `LocalizedError` with a text, that is
    /// the text of the failure.
    ///
    /// - Parameter failure: The response. Its ``HTTPFailure/decode(_:decoder:)`` uses the settings of ``decoder``.
    /// - Returns: The error; `nil` if the response has none.
    open func detail(of failure: HTTPFailure) -> (any Error)? { nil }

    /// Makes the error for a response whose status is not accepted: by default ``RequestError/httpFailure(_:)``, with
    /// ``detail(of:)``.
    ///
    /// Override it only to throw something else, which `catch RequestError.httpFailure` no longer catches.
    ///
    /// - Parameter failure: The response, with its detail.
    /// - Returns: The error of the call.
    open func error(for failure: HTTPFailure) -> any Error {
        RequestError.httpFailure(failure)
    }

    package override func refusal(_ failure: HTTPFailure) -> any Error {
        error(for: detailed(failure)).without(failure.secrets)
    }

    package override func detailed(_ failure: HTTPFailure) -> HTTPFailure {
        let failure = failure.readable(by: bodyDecoder)
        return failure.with(detail(of: failure))
    }

    /// Decodes the body of a response, by default with the settings of ``decoder`` and ``usesStrictJSON``.
    ///
    /// Override it for another decoder, or for responses with a common wrapper.
    ///
    /// - Throws: `DecodingError`, with which the call fails as ``RequestError/undecodable(_:)``, or any other error,
    ///   with which the call fails as it is.
    open func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try bodyDecoder.decode(type, from: data)
    }

    /// The decoder with its present settings.
    package var bodyDecoder: BodyDecoder {
        guard usesStrictJSON, shared.withLock({ $0.coders.hasNoDecoder }), !overrides.decoder else {
            return BodyDecoder(decoder, isStrict: usesStrictJSON)
        }
        return .standard
    }

    /// The call with a decoded body, for leaves that map it further:
    /// `decoded(Feed.self).map(\.items).eraseToAnyPublisher()`.
    ///
    /// A response without a body gives `nil` for an optional type.
    ///
    /// - Returns: A publisher that fails with ``RequestError/undecodable(_:)`` if the body cannot be decoded, and with
    ///   the errors of ``APIBase/sendRequest()``.
    @inlinable public func decoded<Model: Decodable>(_ type: Model.Type) -> AnyPublisher<Model, any Error> {
        sendRequest().mapResponses { [self] reply in try model(type, of: reply) }
    }

    /// The call with a part of its body decoded, such as that in an envelope: `decoded([Book].self, at: "data.items")`.
    ///
    /// - Parameters:
    ///   - type: The type of the part.
    ///   - path: The keys that lead to it, as they stand in the JSON, separated by dots. An element of an array has its
    ///     number as key, from 0. The decoder's strategy for keys applies only to the part itself. Empty for the whole
    ///     body.
    /// - Returns: A publisher as of ``decoded(_:)``. If there is no such part, the error names the first key that is
    ///   missing, also for an optional type. A part that is null gives `nil` for an optional type.
    @inlinable public func decoded<Model: Decodable>(
        _ type: Model.Type,
        at path: String
    ) -> AnyPublisher<Model, any Error> {
        decoded(type, at: path.isEmpty ? [] : path.components(separatedBy: "."))
    }

    /// The call with a part of its body decoded, with keys that may contain dots:
    /// `decoded(Book.self, at: ["books.v2", "0"])`.
    @inlinable public func decoded<Model: Decodable>(
        _ type: Model.Type,
        at keys: [String]
    ) -> AnyPublisher<Model, any Error> {
        sendRequest().mapResponses { [self] reply in try model(type, of: reply, at: keys) }
    }

    @usableFromInline package func model<Model: Decodable>(
        _ type: Model.Type,
        of reply: CallResponse,
        at path: [String] = []
    ) throws -> Model {
        if reply.data.isEmpty, let absent = (type as? any Absent.Type)?.absent as? Model { return absent }
        do {
            return try Delivery.decoding {
                if path.isEmpty { return try decode(type, from: reply.data) }
                return try ValueAtPath.decode(at: path) { try decode($0, from: reply.data) }
            }
        } catch let error as DecodingError {
            throw recorded(RequestError.undecodable(UndecodableReply(error, as: type, reply.tuple, by: bodyDecoder)))
        } catch {
            throw error.without(deliveredSecrets)
        }
    }
}

/// A type with a value for a missing body.
private protocol Absent {
    static var absent: Self { get }
}

extension Optional: Absent {
    fileprivate static var absent: Self { .none }
}

/// The decoder and the encoder of a request object, made on first use, since most calls need one of them at most.
struct JSONCoders {
    private var ownDecoder: JSONDecoder?
    private var ownEncoder: JSONEncoder?

    /// Whether nobody has asked for the decoder, so that it has the settings of a new one.
    var hasNoDecoder: Bool { ownDecoder == nil }

    var decoder: JSONDecoder {
        mutating get {
            let decoder = ownDecoder ?? JSONDecoder()
            ownDecoder = decoder
            return decoder
        }
        set { ownDecoder = newValue }
    }

    var encoder: JSONEncoder {
        mutating get {
            let encoder = ownEncoder ?? .sortingKeys
            ownEncoder = encoder
            return encoder
        }
        set { ownEncoder = newValue }
    }
}

extension JSONEncoder {
    fileprivate static var sortingKeys: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

extension ServerSentEvent {
    /// The event with the API's own error, as of a response with the data of the event in place of its body.
    package func detailed(by api: APIBase, in response: HTTPURLResponse, without secrets: RequestSecrets) -> Self {
        var event = self
        event.detail = api.detailed(HTTPFailure((Data(data.utf8), response)).removing(secrets)).detail
        return event
    }
}
