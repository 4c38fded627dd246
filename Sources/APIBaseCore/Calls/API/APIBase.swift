package import Basics

/// The base class of API clients: one subclass for each remote API, and one leaf class for each of its endpoints.
/// For APIs that speak JSON, ``JSONAPI`` needs less code.
///
/// A subclass sets what all calls of one API share: base URL, headers, validation, credentials. A leaf sets path,
/// method and body, and conforms to ``Request`` with its type of value:
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
///         super.startRequest().validateStatusCode(in: 200..<300).hasContentType("application/json")
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
///         sendRequest().map(\.data).decode(type: Book.self, decoder: JSONDecoder()).eraseToAnyPublisher()
///     }
/// }
/// ```
///
/// Only leaf classes may conform to ``Request``: Swift binds the requirements of a protocol in the class that declares
/// the conformance, so ``Request/value()`` would not call a `start()` of another type in a subclass.
///
/// A request object is not `Sendable`, and its settings must not be changed while a call of it runs. ``request`` and
/// ``response`` can be read on any thread.
nonisolated open class APIBase: ObservableObject {
    // MARK: Settings

    /// The session that carries the request out: by default ``/HTTPTransport/DefaultSession/shared``, with which all
    /// calls of the process share connections. It is not created before the first call that is not stubbed.
    open var session: any HTTPSession {
        get { own.value.session ?? DefaultSession.shared }
        set { own.value.session = newValue }
    }

    /// The base URL of the API, `nil` by default: `http` or `https`, a host, and the path and query of all calls.
    ///
    /// ``path`` is appended to its path with exactly one slash, and ``queryItems`` to its query. With user-info, a
    /// fragment or another scheme the request cannot be built.
    open var baseURL: URL? {
        get { own.value.baseURL }
        set { own.value.baseURL = newValue }
    }

    /// The base URLs of servers that answer alike, for a feature that changes between them. Empty by default. The first
    /// is the ``JSONAPI/baseURL`` of the API, unless that is another.
    open class var baseURLs: [URL] { [] }

    /// The method of the request, ``/HTTPTransport/HTTPMethod/get`` by default.
    open var method: HTTPMethod = .get

    /// The path of the endpoint, below the path of ``baseURL``. Empty by default.
    ///
    /// Characters that are not allowed in a path are escaped; existing escapes stay. Insert parameters with
    /// `"/todos/\(segment: id)"`, which makes one path segment of any text. With `?`, `#`, a backslash, a control
    /// character or a dot segment (`.`, `..`, also escaped) the request cannot be built.
    ///
    /// An absolute URL is used as it is, if ``baseURL`` is `nil` or has the same scheme, host and port. With another
    /// origin the request cannot be built, since it might carry secrets to another server.
    open var path: String {
        get { own.value.path }
        set { (own.value.path, own.value.pathTemplate) = (newValue, nil) }
    }

    /// The items after the `?`, in this order, with repetitions.
    ///
    /// Names and values are escaped: a space as `%20`, a plus sign as `%2B`. An item without a value is a bare name.
    open var queryItems: [URLQueryItem] {
        get { own.value.queryItems }
        set { own.value.queryItems = newValue }
    }

    /// The headers of the request, in addition to those of the transport and ``contentType``.
    ///
    /// With an invalid name or value, or with a header of the transport such as `Host` and `Transfer-Encoding`, the
    /// request cannot be built.
    open var headers: HTTPHeaders {
        get { shared.withLock { $0.headers } }
        set { shared.withLock { $0.headers = newValue } }
    }

    /// The media type of the body. It is sent only with a body, and only if ``headers`` have none. If it is `nil`, a
    /// body is sent as `application/octet-stream`.
    open var contentType: String?

    /// The body as bytes, which ``encodeBody()`` returns. For a value as JSON, a ``JSONAPI`` has ``JSONAPI/json``, and
    /// for anything else there is ``content``.
    open var body: Data? {
        get { own.value.body }
        set { own.value.body = newValue }
    }

    /// The body as a stream, with its number of bytes, as in CombineRequest. It takes precedence over ``body``.
    ///
    /// A stream can be read once: a second attempt fails with
    /// ``/HTTPTransport/TransportError/Reason/bodyNotReplayable``, whose `underlying` error is that of the first. Use
    /// ``content`` for a stream that can be made anew.
    open var bodyStream: (stream: InputStream, count: Int)?

    /// The body in any form: bytes, a file, a new stream for each attempt, a form, a form with files. It takes
    /// precedence over ``bodyStream`` and ``encodeBody()``.
    ///
    /// ```swift
    /// content = .file(url, type: "image/png")
    /// content = .multipart([MultipartPart(name: "photo", content: .file(url, type: "image/png"))])
    /// ```
    ///
    /// Its media type, if it has one, takes precedence over ``contentType``. Content that is not in memory is read
    /// while it is sent, and is not part of ``request``.
    open var content: HTTPBody?

    /// The longest time for one attempt, from its start to its last byte, with redirects. 60 seconds by default.
    ///
    /// Then the call fails with a ``/HTTPTransport/TransportError``. Waiting for a free connection does not count. It
    /// is the `timeoutInterval` of the built request, which an override of ``buildURLRequest()`` may change; the
    /// timeouts of a session's configuration are not used. A table in <doc:TheLifeOfACall> compares it with other
    /// limits.
    open var timeout: Duration = .seconds(60)

    /// The other limits of one attempt, such as the bytes of a response. A shorter `total` replaces ``timeout``.
    open var limits: ExchangeRequest.Limits = .default

    /// The headers that are never sent to another origin and never printed, and are part of the key in the ``cache``.
    /// Compared without case.
    ///
    /// By default `Authorization`, `Cookie`, `Proxy-Authorization` and the usual headers of API keys; an API adds its
    /// own. Those of `HTTPHeaders.secretNames` and of the rule there, and that of ``authorization``, are always secret.
    open var secretHeaders: Set<String> = HTTPHeaders.secretNames

    /// The credentials of the call. `nil` by default.
    ///
    /// Each attempt carries them, unless the request has a header of the same name. With ``Authorization/tokens(_:)``,
    /// a response with status 401 renews the token, and the request is sent again once if its body can be.
    open var authorization: Authorization?

    /// The policy for repeating failed calls: ``RetryPolicy/none`` by default.
    open var retry: RetryPolicy = .none

    /// The key by which the server recognizes the attempts of one call, so that `POST` and `PATCH` can be tried again.
    /// `nil` by default. A header of the same name takes precedence.
    open var idempotencyKey: IdempotencyKey? {
        get { own.value.idempotencyKey }
        set { own.value.idempotencyKey = newValue }
    }

    /// The watchers of the calls, such as a log. Empty by default.
    ///
    /// A call also has those of its account and of its scope: see ``CallWatcher``.
    public var watchers: [any CallWatcher] = []

    /// The publisher that answers in place of the network, for a stub of this object as in CombineRequest: see
    /// ``stub(with:data:)``. Stubs of a scope answer all calls of a test. The request is still built, checked and
    /// stored in ``request``, and the response is validated and decoded.
    public var dataTaskPublisher: AnyPublisher<DataResponseTuple, any Error>?

    /// Creates a request without a base URL.
    public init() { overrides = ClassOverrides.of(type(of: self)) }

    // MARK: Hooks, which API classes and leaves override

    /// Builds the request from the properties. Called for every attempt.
    ///
    /// Override it to change the request of `super`, which is checked again before it is sent. Note that Foundation's
    /// `setValue(_:forHTTPHeaderField:)` silently drops a value with a line break, while ``headers`` refuses it.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` or ``RequestError/invalidRequest(_:)`` for a request that must not be
    ///   sent, and the errors of ``encodeBody()``.
    open func buildURLRequest() throws -> URLRequest {
        let ownHeaders = effectiveHeaders
        try check(ownHeaders)
        var request = URLRequest(url: try buildURL())
        // `GET` is the default, and the setter is slow.
        if method != .get { request.httpMethod = method.rawValue }
        request.timeoutInterval = timeout.inSeconds
        let length = try setBody(of: &request)
        request.allHTTPHeaderFields = headers(ownHeaders, bodyLength: length).dictionary
        try check(request)
        return request
    }

    /// The body of the request: by default ``body``. Called for every attempt, unless there is a ``content`` or a
    /// ``bodyStream``.
    ///
    /// Override it to encode a value: `try JSONEncoder().encode(todo)`.
    ///
    /// - Returns: The bytes; `nil` for a request without a body.
    open func encodeBody() throws -> Data? { body }

    /// The delay before a call is tried again: by default that which ``retry`` proposes.
    ///
    /// Override it for an API's own decision. It is called after each attempt without a response or with a status of
    /// 400 or more, if ``RetryPolicy/attempts`` is more than 1. It can repeat a `POST`, but not a body that can be sent
    /// only once. The attempts, deadline and budget of the policy always apply.
    ///
    /// - Parameter attempt: The failed attempt.
    /// - Returns: The delay; `nil` not to try again.
    open func retryDelay(after attempt: RetryPolicy.FailedAttempt) -> Duration? { attempt.proposedDelay }

    /// Wraps each attempt: it can change the request, which has its credentials, and the response. By default
    /// `next(request)`.
    ///
    /// ```swift
    /// override func intercept(
    ///     _ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher
    /// ) -> ReplyPublisher {
    ///     var request = request
    ///     request.setValue(traceparent(), forHTTPHeaderField: "traceparent")
    ///     return super.intercept(request, next: next)
    /// }
    /// ```
    ///
    /// Asynchronous work goes before it: `AnyPublisher.awaiting { try await sign(request) }.flatMap(next)`. Calls made
    /// here do not wait at a ``gate`` where this attempt holds a place. In a chain of classes, the leaf's override
    /// comes first, and each calls `super`. The task locals apply as in ``startRequest()``. The request is checked
    /// again before it is sent.
    ///
    /// - Parameters:
    ///   - request: The request of the attempt.
    ///   - next: Makes a publisher that sends a request for each subscription.
    /// - Returns: The publisher of the response, that of `next` or another.
    open func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        next(request)
    }

    /// Decides about a redirect, once the rules for redirects have removed what must not go on, such as credentials for
    /// another origin. By default returns `request`. The task locals apply as in ``intercept(_:next:)``.
    ///
    /// - Parameters:
    ///   - request: The next request. Its body, cache policy and timeout are ignored.
    ///   - response: The head of the redirect.
    /// - Returns: The request to send; `nil` to take the redirect as the response. It is checked again: secret headers
    ///   for another origin are removed, and the call fails with a ``/HTTPTransport/TransportError`` if the request
    ///   must not be sent, as from `https` to `http`.
    open func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? { request }

    /// The time for which the ``cache`` uses a response whose headers name none: no `max-age`, `s-maxage` or `Expires`.
    ///
    /// It counts from the `Date` of the response, less its `Age`, and is stored with it. This is called for responses
    /// that may be stored, also errors such as 404, and after each validation.
    ///
    /// - Returns: The time; zero not to store the response; `nil`, the default, to follow RFC 9111, section 4.2.2.
    open func lifetime(of response: HTTPURLResponse) -> Duration? { nil }

    /// Returns true to accept the head of a response, for streams, downloads and events: by default a status of 2xx.
    ///
    /// Otherwise up to a megabyte of the body is read, and the call fails with ``RequestError/httpFailure(_:)`` or the
    /// error of ``JSONAPI/error(for:)``. Complete responses are checked in ``startRequest()`` instead.
    open func accepts(_ response: HTTPURLResponse) -> Bool { 200..<300 ~= response.statusCode }

    /// The error of a response that is not accepted. The failure has the secrets of its call.
    package func refusal(_ failure: HTTPFailure) -> any Error { RequestError.httpFailure(failure) }

    /// The failure with what the class knows of its body.
    package func detailed(_ failure: HTTPFailure) -> HTTPFailure { failure }

    /// Receives the events of this object's calls. By default it does nothing.
    ///
    /// Override it for logs, metrics and traces: `Self.log.report(event)` with a ``CallLog``. It is called on any
    /// thread, which it must not block, with the events of a call in order. The events hold no secrets.
    open func report(_ event: CallEvent) {}

    /// The call with the validation of the API. API classes override it to add theirs to that of `super`. They must not
    /// call ``sendRequest()``, which calls this method.
    ///
    /// - Returns: A publisher that builds and sends the request anew for each subscription. Canceling the subscription
    ///   cancels the call, and delivers nothing more. The value is delivered on a thread of the session, or on another
    ///   thread if it had to wait for the last count of ``downloadProgress``. In every attempt, ``buildURLRequest()``
    ///   sees the task locals of the code that calls this method (only in the first before macOS 15, iOS 18, tvOS 18,
    ///   watchOS 11 and visionOS 2). It runs on the thread of the subscription, but outside of its task, so
    ///   `Task.isCancelled` and an actor's `assumeIsolated` do not work there.
    open func startRequest() -> AnyPublisher<DataResponseTuple, any Error> { CallSource(of: self).publisher }

    /// The call for the `start()` of a leaf class: ``startRequest()``, which therefore must not call this method.
    open func sendRequest() -> AnyPublisher<DataResponseTuple, any Error> { startRequest() }

    // MARK: State

    package let shared = Locked(SharedState())
    /// The overrides of the class.
    private(set) var overrides = ClassOverrides.all
    var own = NonReflecting(value: OwnProperties())
    /// The features of the calls, such as a cache.
    package var features = CallFeatures()

    /// The bytes of the body handed to the network so far, and the body's size in bytes, or -1 if that is not known.
    ///
    /// On Apple systems it is published on the main queue, without outdated counts; elsewhere on the thread that
    /// delivers the response. Simultaneous calls of one object overwrite each other's counts. On Apple systems, read it
    /// on the main thread, in its subscribers, or after the call has ended.
    ///
    /// The last count is published before the value, the error, or the end of a body, which wait for the main queue on
    /// Apple systems, for a second at most if that is blocked.
    @Published public internal(set) var uploadProgress: (sent: Int64, expected: Int64) = (0, 0)

    /// The bytes of the response's body received so far, and the body's size in bytes, or -1 if that is not known, as
    /// for a compressed one. Published as ``uploadProgress`` is.
    @Published public internal(set) var downloadProgress: (received: Int64, expected: Int64) = (0, 0)
}
