import Basics

/// The base of an API client: one subclass for each remote API, one leaf class for each of its endpoints.
///
/// `APIBase` owns what every call needs: the session, the base URL and the building of the request. A subclass holds
/// what all calls of one API share (base URL, headers, validation, credentials). A leaf says path, method, body and
/// result type, conforms to ``Request``, and its `start()` is a publisher:
///
/// ```swift
/// class BooksAPI: APIBase {
///     override init() {
///         super.init()
///         baseURL = URL(string: "https://books.example/v2")
///         headers["Accept"] = "application/json"
///     }
///
///     override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
///         super.startRequest()
///             .validateStatusCode(in: 200..<300)
///             .hasContentType("application/json")
///             .eraseToAnyPublisher()
///     }
/// }
///
/// final class BookRequest: BooksAPI, Request {
///     init(id: Int) {
///         super.init()
///         path = "/books/\(segment: id)"
///     }
///
///     func start() -> AnyPublisher<Book, any Error> {
///         sendRequest()
///             .map(\.data)
///             .decode(type: Book.self, decoder: JSONDecoder())
///             .eraseToAnyPublisher()
///     }
/// }
/// ```
///
/// Conform only the leaf classes to ``Request``: Swift binds a protocol's requirements in the class that declares the
/// conformance, so a `start()` of another type further down would never be called by ``Request/value()``.
///
/// A request object is set up in one place and is then only read: it is not `Sendable`, and its settings are not to be
/// changed while a call of it runs. What the kit itself writes is read where it is safe: ``request`` and ``response`` on any
/// thread, ``uploadProgress`` and ``downloadProgress`` as they say.
open class APIBase: ObservableObject {
    /// The bytes of a reply's whole body, and its head.
    public typealias DataResponseTuple = (data: Data, response: HTTPURLResponse)

    /// The session that carries the request out.
    ///
    /// By default one session for the whole process, ``/HTTPTransport/DefaultSession/shared``, so that calls share
    /// connections. Set it for one call, or override it in an API class for all calls of that API. Nothing is created
    /// before the first call, and nothing at all for a stubbed one.
    open var session: any HTTPSession {
        get { chosenSession ?? DefaultSession.shared }
        set { chosenSession = newValue }
    }
    private var chosenSession: (any HTTPSession)?

    /// The base URL of the API: `http` or `https`, a host, and the path and query that all calls share. `nil` by default.
    ///
    /// ``path`` is appended to its path with exactly one slash between them, and its query stays in front of
    /// ``queryItems``. A base URL with user-info, a fragment or another scheme makes the request fail to build.
    open var baseURL: URL? {
        get { own.value.baseURL }
        set { own.value.baseURL = newValue }
    }

    /// The method of the request, ``/HTTPTransport/HTTPMethod/get`` by default.
    open var method: HTTPMethod = .get

    /// The path of the endpoint, below the path of ``baseURL``. Empty by default.
    ///
    /// Escapes stay as they are, and what is not allowed in a path is escaped. Parameters go in with
    /// `"/todos/\(segment: id)"`, which makes one path segment of any text. `?`, `#`, a backslash, a control character and
    /// dot segments (`.`, `..`, also escaped) make the request fail to build.
    ///
    /// An absolute URL is used as it is, if ``baseURL`` is `nil` or of the same scheme, host and port; that of another
    /// origin makes the request fail to build, since what is meant for one server must not be sent to another.
    open var path: String {
        get { own.value.path }
        set { own.value.path = newValue }
    }

    /// The items after the `?`, in this order, repeats included.
    ///
    /// Names and values are escaped, so that any text arrives as it was: a space as `%20`, a plus sign as `%2B`. An item
    /// without a value is a bare name.
    open var queryItems: [URLQueryItem] {
        get { own.value.queryItems }
        set { own.value.queryItems = newValue }
    }

    /// The headers of the request, in addition to what the transport and ``contentType`` set.
    ///
    /// A name or value that must not be sent makes the request fail to build. So do the headers that belong to the
    /// transport, such as `Host` and `Transfer-Encoding`.
    open var headers: HTTPHeaders {
        get { ownHeaders.withLock { $0 } }
        set { ownHeaders.withLock { $0 = newValue } }
    }
    /// Behind a lock, because an override of ``buildURLRequest()`` may set them while another thread does.
    private let ownHeaders = Locked(HTTPHeaders())

    /// The media type of the body. It is sent only together with a body, and only if ``headers`` name none.
    ///
    /// If it is `nil`, a body goes out as `application/octet-stream`, since that is all that is known of it. An API that
    /// speaks JSON sets `application/json` in its initialiser.
    open var contentType: String?

    /// The body, if it is ready as bytes. ``encodeBody()`` returns it.
    open var body: Data? {
        get { own.value.body }
        set { own.value.body = newValue }
    }

    /// The body as a stream, with the number of bytes it will give. It comes before ``body``.
    ///
    /// A stream can be read once: a second attempt, as `.retry` makes it, fails with
    /// ``/HTTPTransport/TransportError/Reason/bodyNotReplayable``, whose `underlying` error says what became of the first. A
    /// stream that can be made anew goes into ``content``.
    open var bodyStream: (stream: InputStream, count: Int)?

    /// The body in any form: bytes, a file, a fresh stream for each attempt, a form, a form with files. It comes before
    /// ``bodyStream`` and ``encodeBody()``.
    ///
    /// ```swift
    /// content = .file(url, type: "image/png")
    /// content = .form([("name", "value")])
    /// content = .multipart([MultipartPart(name: "photo", content: .file(url, type: "image/png"))])
    /// ```
    ///
    /// The media type of the content, if it has one, comes before ``contentType``. What is not bytes in memory is read
    /// while it is sent, and is not part of ``request``.
    open var content: HTTPBody?

    /// The time that one attempt may take in all, from its start to its last byte, redirects included. 60 seconds by default.
    ///
    /// After that the call fails with a ``/HTTPTransport/TransportError``. The time a request waits for a free connection
    /// does not count. It is the `timeoutInterval` of the built request, and an override of ``buildURLRequest()`` may
    /// set another there; the timeouts of a session's configuration are not used. What this and the other limits cover stands
    /// in a table in <doc:TheLifeOfACall>.
    open var timeout: Duration = .seconds(60)

    /// The other limits of one attempt, such as the number of bytes that a reply may have. If its `total` is shorter than
    /// ``timeout``, it is the one that counts.
    open var limits: ExchangeLimits = .default

    /// The headers that are never sent to another origin, never printed, and a part of what the ``cache`` finds a reply by,
    /// compared without case.
    ///
    /// By default `Authorization`, `Cookie`, `Proxy-Authorization` and the usual headers of API keys. An API with a key
    /// header of its own adds it. Those of `SecretHeaders.default`, that of ``authorization``, and the names that end in
    /// `-Token` or `-Secret` are secret also where a set without them is assigned.
    open var secretHeaders: Set<String> = SecretHeaders.default

    /// The credentials of the call. `nil` by default.
    ///
    /// Each attempt carries it, unless the request has a header of that name already. With ``Authorization/tokens(_:)``, a
    /// reply with status 401 has the token renewed, and the request sent again once, if its body can be.
    open var authorization: Authorization?

    /// The policy for repeating failed calls: ``RetryPolicy/none`` by default.
    open var retry: RetryPolicy = .none

    /// The cache that keeps replies to use them again, shared by the calls of an API; `nil` by default.
    open var cache: ResponseCache?

    /// Whether equal calls that are under way at the same time are one exchange: ``Sharing/none`` by default.
    open var sharing: Sharing = .none

    /// The gate that limits the calls to the server, shared by all calls that go there; `nil` by default.
    open var gate: CallGate?

    /// The key by which the server knows the attempts of one call, so that `POST` and `PATCH` can be tried again. `nil` by
    /// default. A header of that name which the request has already wins.
    open var idempotencyKey: IdempotencyKey? {
        get { own.value.idempotencyKey }
        set { own.value.idempotencyKey = newValue }
    }

    /// The publisher that answers in place of the network, if it is not `nil`: the seam for stubs.
    ///
    /// The request is built, checked and stored in ``request`` all the same, then this publisher takes the place of the
    /// data task: validation, decoding and errors run for real. See ``stub(with:data:)``.
    public var dataTaskPublisher: AnyPublisher<DataResponseTuple, any Error>?

    /// The request that the last attempt sent, also under a stub. `nil` before the first one.
    ///
    /// The transport adds `Host`, `User-Agent`, and a `Content-Type` for a body without one.
    public var request: URLRequest? {
        get { lastAttempt.withLock { $0.request } }
        set { lastAttempt.withLock { $0.request = newValue } }
    }

    /// The head of the last attempt's reply, accepted or not. `nil` before it has come, and if none came.
    public var response: HTTPURLResponse? { lastAttempt.withLock { $0.head }?.httpURLResponse }

    let lastAttempt = Locked(LastAttempt())

    /// The properties that may hold secrets.
    private struct Own {
        var baseURL: URL?
        var path = ""
        var queryItems: [URLQueryItem] = []
        var body: Data?
        var idempotencyKey: IdempotencyKey?
    }
    private var own = Unprinted(value: Own())

    /// The bytes of the body handed to the network so far, and the body's size in bytes, or -1 if that is not known.
    ///
    /// Counted by the transport. It is published on the main queue on Apple systems, where counts that come faster than that
    /// takes them are left out, and elsewhere on the thread on which the reply is delivered, each of them. Two calls of one
    /// object at the same time overwrite each other's.
    ///
    /// The last count comes before the value, its error, or the end of a body. So on Apple systems a reply waits until the main
    /// queue has taken the count; but if that queue does nothing for a second, as where the main thread is blocked until it has
    /// the reply, the reply comes without, and so do others until the queue is served again.
    ///
    /// Read it on the main thread, in its subscribers, or when the call has ended. With `CombineFallback`, any thread may read
    /// it at any time; Apple's `@Published` has no lock.
    @Published public internal(set) var uploadProgress: (sent: Int64, expected: Int64) = (0, 0)

    /// The bytes of the reply's body received so far, and the body's size in bytes, or -1 if that is not known, as with a
    /// compressed reply.
    ///
    /// Published, and to be read, as ``uploadProgress`` is.
    @Published public internal(set) var downloadProgress: (received: Int64, expected: Int64) = (0, 0)

    /// The queue that the progress is published on; `nil` for the thread on which it comes.
    var progressQueue = ProgressQueue.ofThisSystem

    /// Creates a request without a base URL.
    public init() {}

    /// The request as it would be sent now, built from the properties. Called anew for every attempt.
    ///
    /// Override it to change the request: call `super` and work on what it returns. The result is checked again before
    /// it is used. But Foundation's `setValue(_:forHTTPHeaderField:)` drops a value with a line break in it without a
    /// word; ``headers`` refuses it.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` or ``RequestError/invalidRequest(_:)`` for what must not be sent, and
    ///   what ``encodeBody()`` throws.
    open func buildURLRequest() throws -> URLRequest {
        try checkProperties()
        var request = URLRequest(url: try buildURL())
        // It is `GET` already, and Foundation looks long at what it is given.
        if method != .get { request.httpMethod = method.rawValue }
        request.timeoutInterval = timeout.inSeconds
        let length = try setBody(of: &request)
        request.allHTTPHeaderFields = headers(bodyLength: length).dictionary
        try check(request)
        return request
    }

    /// The body of the request, called for every attempt. By default ``body``.
    ///
    /// Override it to encode a value: `try JSONEncoder().encode(todo)`. It is not called if there is a ``bodyStream``.
    ///
    /// - Returns: The bytes, or `nil` for a request without a body.
    open func encodeBody() throws -> Data? {
        body
    }

    /// The wait before a call is tried again. By default the one that ``retry`` proposes: ``FailedAttempt/proposedDelay``.
    ///
    /// Override it for an API's own decision. It is asked after each attempt that brought no reply or one with a status of 400
    /// or more, if ``RetryPolicy/attempts`` is more than 1. Attempts, deadline and budget of the policy hold whatever it says,
    /// and a body that can be sent only once is not sent again; but a `POST` is, if it says so.
    ///
    /// - Parameter attempt: What has happened.
    /// - Returns: The wait; `nil` not to try again.
    open func retryDelay(after attempt: FailedAttempt) -> Duration? { attempt.proposedDelay }

    /// Stands around each attempt: sees its request with the credentials, may change it, and sees the reply. By default nothing
    /// but `next(request)`.
    ///
    /// ```swift
    /// override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
    ///     var request = request
    ///     request.setValue(traceparent(), forHTTPHeaderField: "traceparent")
    ///     return super.intercept(request, next: next)
    /// }
    /// ```
    ///
    /// What has to be awaited goes before it: `AnyPublisher.awaiting { try await sign(request) }.flatMap(next)`. Calls that are
    /// made here do not wait at a ``gate`` at which this attempt has its place. Of several
    /// overrides in a chain of classes, the leaf's comes first, and each calls `super`. The task locals of where the call was
    /// started hold as in ``startRequest()``. The request is checked again before it is sent.
    ///
    /// - Parameters:
    ///   - request: The request of the attempt.
    ///   - next: Sends a request, each time that its publisher is subscribed to.
    /// - Returns: What answers the attempt. It may be something else than what `next` gives.
    open func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        next(request)
    }

    /// Whether the head of a reply is accepted, for streams, downloads and events: with a status of 2xx by default.
    ///
    /// Of a refused reply up to a megabyte is read, and the call fails with ``RequestError/httpFailure(_:)``, or what
    /// ``JSONAPI/error(for:)`` makes of it. Whole replies are checked in ``startRequest()``.
    open func accepts(_ response: HTTPURLResponse) -> Bool { 200..<300 ~= response.statusCode }

    /// The error with which a stream fails whose reply is not accepted.
    func refusal(_ failure: HTTPFailure) -> any Error { RequestError.httpFailure(failure) }

    /// Is told what happens to the calls of this object. By default it does nothing.
    ///
    /// Override it for logs, metrics and traces: `Self.log.report(event)` with a ``CallLog``. It is called on whichever thread
    /// the call is at work, must not block there, and sees the events of a call in their order. Its request, its URL and its
    /// descriptions are without secrets.
    open func report(_ event: CallEvent) {}

    /// The call as every endpoint of an API makes it. An API class overrides it, to add its validation to `super`'s. It must
    /// not call ``sendRequest()``, which calls this method.
    ///
    /// - Returns: A publisher that does nothing until it is subscribed to. Every subscription builds the request anew
    ///   and sends it once; dropping the subscription cancels it, and nothing more is delivered. The value comes on a
    ///   thread of the session's, or where it had to wait for the last count of ``downloadProgress``, on another thread.
    ///   ``buildURLRequest()`` sees the task locals of the code that calls this method, in every
    ///   attempt (in the first one only, before macOS 15, iOS 18, tvOS 18, watchOS 11 and visionOS 2). It runs on the
    ///   thread of the subscription, but outside of its task, so `Task.isCancelled` and an actor's `assumeIsolated` say nothing
    ///   there.
    open func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        CallSource(of: self).publisher
    }

    /// The call as a leaf class makes it, in its `start()`: ``startRequest()`` as the API class has it, which therefore
    /// must not call this method.
    open func sendRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        startRequest()
    }
}
