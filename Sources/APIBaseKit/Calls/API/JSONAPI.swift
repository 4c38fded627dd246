import Basics

/// The base of an API that speaks JSON: what an API class inherits so that a leaf says only what is its own.
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
/// A leaf conforms to ``Request`` and names its `ModelType`. Its `start()` is here already: for a `Decodable` it decodes the
/// reply, for `Void` it takes any accepted reply, and for `Data` it gives the bytes as they are. One that the leaf writes
/// itself comes first.
///
/// Requests ask for `application/json` and call their bodies that, unless ``APIBase/headers``, ``APIBase/content`` or
/// ``APIBase/contentType`` say otherwise.
open class JSONAPI: APIBase {
    /// The decoder of replies. Each request object has one of its own, so an API class sets it up in its initialiser.
    ///
    /// Its settings count, while what reads a reply is mostly a ``/StrictJSON/StrictJSONDecoder`` with the same settings: see
    /// ``usesStrictJSON``.
    open var decoder: JSONDecoder {
        get { coders.withLock { $0.decoder } }
        set {
            var decoder = newValue
            coders.withLock { swap(&$0.decoder, &decoder) }
        }
    }

    /// Whether replies are read by a ``/StrictJSON/StrictJSONDecoder``, in a fraction of the time that Foundation's takes.
    ///
    /// It gives the same values, and refuses what is not JSON (RFC 8259); its documentation names what differs. What it cannot
    /// do is left to ``decoder`` itself: JSON5, `assumesTopLevelDictionary`, a subclass of `JSONDecoder`.
    ///
    /// `true` on Linux. `false` on Apple systems, where its speed has not been measured.
    open var usesStrictJSON = JSONAPI.isStrictByDefault

    #if canImport(Darwin)
    private static let isStrictByDefault = false
    #else
    private static let isStrictByDefault = true
    #endif

    /// The encoder of ``json``, one for each request object. It sorts keys by default, so that each attempt sends the same
    /// bytes.
    open var encoder: JSONEncoder {
        get { coders.withLock { $0.encoder } }
        set {
            var encoder = newValue
            coders.withLock { swap(&$0.encoder, &encoder) }
        }
    }

    /// They are made when they are first asked for, by whichever thread: most calls need one at most.
    private let coders = Locked(Coders())

    /// The body as a value, encoded for every attempt. It comes before ``APIBase/body``, and behind ``APIBase/content``.
    open var json: (any Encodable)? {
        get { ownBody.value }
        set { ownBody.value = newValue }
    }
    private var ownBody = Unprinted<(any Encodable)?>(value: nil)

    /// The base URL of the API: the ``APIBase/baseURL`` with which its requests are created. `nil` by default.
    ///
    /// ``APIBase/useBaseURL(_:)`` and its siblings change it for a process, a scope or a test.
    open class var baseURL: URL? { nil }

    /// Creates a request of the API that is still without an endpoint.
    public override init() {
        super.init()
        prepare()
    }

    /// Creates a request to an endpoint of the API: `super.init(.post("/books", json: book))`.
    public init(_ endpoint: Endpoint) {
        super.init()
        prepare()
        method = endpoint.method
        path = endpoint.path
        query = endpoint.query
        json = endpoint.json
        content = endpoint.content
    }

    private func prepare() {
        baseURL = Self.baseURL
        headers = Self.headersForJSON
        contentType = Self.type
    }

    private static let type = "application/json"
    private static let headersForJSON: HTTPHeaders = ["Accept": type]

    /// The media types that replies may be of, as `hasContentType(in:)` has them: by default JSON, and the types that are
    /// written in it (RFC 6839, section 3.1).
    ///
    /// A leaf whose bytes are something else says so: `acceptedTypes = ["image/*"]`, or `["*/*"]` for any type and for none.
    /// Setting it sets the `Accept` header as well.
    open var acceptedTypes = JSONAPI.typesOfJSON {
        didSet { headers["Accept"] = acceptedTypes.joined(separator: ", ") }
    }

    private static let typesOfJSON = [type, "application/*+json"]
    private static let rangesOfJSON = typesOfJSON.map(MediaRange.init)

    /// The body: ``json`` by ``encoder``, or ``APIBase/body`` if there is none.
    ///
    /// - Throws: What the encoder throws.
    open override func encodeBody() throws -> Data? {
        guard let json else { return try super.encodeBody() }
        return try encoder.encode(json)
    }

    /// The call, with its reply checked: a status of 2xx, and no body or one of ``acceptedTypes``.
    ///
    /// - Returns: A publisher that fails with ``error(for:)`` for another status, and with
    ///   ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another type.
    open override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        let types = acceptedTypes
        let ranges = types == Self.typesOfJSON ? Self.rangesOfJSON : types.map(MediaRange.init)
        return super.startRequest().checkingReplies { [self] reply in
            guard 200..<300 ~= reply.head.statusCode else { throw refusal(HTTPFailure(reply.tuple)) }
            do throws(RequestError) {
                try RequestError.refuseContentType(of: reply, unless: ranges, by: replyDecoder)
            } catch {
                note(error)
                throw error
            }
        }
    }

    /// Makes the error of a call that the server refuses, or of a stream that ``APIBase/accepts(_:)`` does:
    /// ``RequestError/httpFailure(_:)``.
    ///
    /// Override it to throw the errors of the API itself, which best are `LocalizedError`s, so that they have a sentence:
    ///
    /// ```swift
    /// override func error(for failure: HTTPFailure) -> any Error {
    ///     (try? failure.decode(Problem.self)) ?? super.error(for: failure)
    /// }
    /// ```
    ///
    /// - Parameter failure: The reply whose status is not accepted. Its ``HTTPFailure/decode(_:using:)`` reads as ``decoder`` is
    ///   set up.
    /// - Returns: What the call fails with.
    open func error(for failure: HTTPFailure) -> any Error {
        RequestError.httpFailure(failure)
    }

    override func refusal(_ failure: HTTPFailure) -> any Error { error(for: failure.readable(by: replyDecoder)) }

    /// Reads a value from the body of a reply, by default as ``decoder`` is set up, and as ``usesStrictJSON`` says.
    ///
    /// Override it for another decoder, or for replies that are wrapped alike.
    ///
    /// - Throws: `DecodingError` for what cannot be read; the call then fails with
    ///   ``RequestError/undecodable(_:)``. Any other error comes out as it is.
    open func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try replyDecoder.decode(type, from: data)
    }

    /// What reads replies, with the settings of now.
    var replyDecoder: ReplyDecoder { ReplyDecoder(decoder, isStrict: usesStrictJSON) }

    /// The call, with the body of its reply read as a value. For leaves that make something else of it:
    /// `decoded(Feed.self).map(\.items).eraseToAnyPublisher()`.
    ///
    /// A reply without a body is `nil` where the type is an optional.
    ///
    /// - Returns: A publisher that fails with ``RequestError/undecodable(_:)`` if the body cannot be read, and with
    ///   whatever ``APIBase/sendRequest()`` fails with.
    @inlinable public func decoded<Model: Decodable>(_ type: Model.Type) -> AnyPublisher<Model, any Error> {
        sendRequest().mapReplies { [self] reply in try model(type, of: reply) }
    }

    @usableFromInline func model<Model: Decodable>(_ type: Model.Type, of reply: CallReply) throws -> Model {
        if reply.data.isEmpty, let absent = (type as? any Absent.Type)?.absent as? Model { return absent }
        do {
            return try decode(type, from: reply.data)
        } catch let error as DecodingError {
            let failure = UndecodableReply(error, as: type, reply.tuple, by: replyDecoder)
            let undecodable = RequestError.undecodable(failure)
            note(undecodable)
            throw undecodable
        }
    }
}

/// A type that has a value for nothing.
private protocol Absent {
    static var absent: Self { get }
}

extension Optional: Absent {
    fileprivate static var absent: Self { .none }
}

/// The decoder and the encoder of a request object.
private struct Coders {
    lazy var decoder = JSONDecoder()
    lazy var encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()
}
