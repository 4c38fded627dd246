import Basics
import HTTPTransport

extension APIBase {
    /// Sets the body of the request, and returns its length in bytes; `nil` if there is no body, or its length is not
    /// known.
    func setBody(of request: inout URLRequest) throws -> Int? {
        let members = RequestChange.of(self)?.members
        if let content = try content?.encoded(by: (self as? JSONAPI)?.encoder ?? JSONEncoder()) {
            if let problem = content.problem {
                throw (problem as? TransportError.InvalidRequest).map(RequestError.invalidRequest) ?? problem
            }
            if let members {
                guard !content.needsReading else { throw BodyMembers.noObject }
                request.httpBody = try members.set(in: content.bytes())
                return request.httpBody?.count
            }
            if !content.needsReading, !content.isEmpty { request.httpBody = try content.bytes() }
            return content.isEmpty && content.contentType == nil ? nil : content.count.map { Int(clamping: $0) }
        }
        if let bodyStream {
            guard members == nil else { throw BodyMembers.noObject }
            request.httpBodyStream = bodyStream.stream
            return bodyStream.count
        }
        let own = try encodeBody()
        request.httpBody = try members?.set(in: own) ?? own
        return request.httpBody?.count
    }

    /// These headers, with those for a body of this length. A `Content-Length` that the user has set stays, and is
    /// checked later.
    func headers(_ own: HTTPHeaders, bodyLength: Int?) -> HTTPHeaders {
        var headers = own
        guard bodyLength != nil || content.map({ !$0.isEmpty }) ?? false else { return headers }
        let contentType = content?.contentType ?? contentType
        if let contentType, !headers.contains(name: "Content-Type") { headers["Content-Type"] = contentType }
        if let coding = content?.contentEncoding, !headers.contains(name: "Content-Encoding") {
            headers["Content-Encoding"] = coding
        }
        if let bodyLength, !headers.contains(name: "Content-Length") { headers["Content-Length"] = String(bodyLength) }
        return headers
    }

    /// Takes a body that can be sent only once. Only the first attempt can take it.
    func takeBody(of request: URLRequest) throws {
        let stream = request.httpBodyStream
        let body = stream.map(ObjectIdentifier.init) ?? content?.oneShot
        let (isFirst, failure) = shared.withLock { object -> (Bool, (any Error)?) in
            if let taken = object.takenBody, taken.body == body { return (false, taken.failure) }
            object.takenBody = SharedState.TakenBody(body: body)
            return (true, nil)
        }
        guard isFirst else {
            throw TransportError(phase: .request, reason: .bodyNotReplayable, url: request.url, underlying: failure)
        }
        guard stream?.streamStatus ?? .notOpen == .notOpen else {
            throw RequestError.invalidRequest(.init(.body, .unreadableStream))
        }
    }

    /// Records the failure of a call whose body cannot be sent again.
    func record(_ failure: any Error) {
        var last: (any Error)? = failure
        shared.withLockUnchecked { object in
            guard var taken = object.takenBody else { return }
            swap(&taken.failure, &last)
            object.takenBody = taken
        }
    }

    package func transportBody(of request: URLRequest) throws -> HTTPBody {
        if let stream = request.httpBodyStream {
            guard let count = request.value(forHTTPHeaderField: "Content-Length").flatMap({ Int64($0) }) else {
                throw RequestError.invalidRequest(.init(.headerValue(name: "Content-Length"), .missing))
            }
            return .once(stream, count: count)
        }
        if let body = request.httpBody { return .data(body) }
        return content.flatMap { $0.needsReading ? $0 : nil } ?? .none
    }
}

extension APIBase {
    /// The complete body of a response, and its head.
    public typealias DataResponseTuple = (data: Data, response: HTTPURLResponse)

    /// The request of the last attempt, also of a stubbed one. `nil` before the first. The transport adds `Host`,
    /// `User-Agent`, and a `Content-Type` for a body without one.
    public var request: URLRequest? {
        get { shared.withLock { $0.request } }
        set {
            var request = newValue
            shared.withLockUnchecked { swap(&$0.request, &request) }
        }
    }

    /// The response to the last attempt, accepted or not. `nil` if none has arrived.
    public var response: HTTPURLResponse? { shared.withLock { $0.head }?.httpURLResponse }
}

/// The state of a request object that several threads may use.
package struct SharedState {
    /// Overrides of ``APIBase/buildURLRequest()`` may set them.
    var headers = HTTPHeaders()
    /// Those of a ``JSONAPI``.
    var coders = JSONCoders()
    /// Whether counts of bytes have been published.
    package var hasProgress = false
    /// The request of the last attempt.
    package var request: URLRequest?
    /// The head of its response.
    package var head: ResponseHead?
    /// The automatic key, which all attempts carry.
    var idempotencyKey: String?
    /// The body that can be sent only once, if an attempt has taken it.
    var takenBody: TakenBody?

    struct TakenBody {
        /// The stream.
        let body: ObjectIdentifier?
        /// The error of the attempt that has taken it.
        var failure: (any Error)?
    }
}

/// A value that `dump` does not show, because it may hold secrets.
package struct NonReflecting<Value>: CustomReflectable {
    package var value: Value

    package init(value: Value) { self.value = value }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The properties of a request object that may hold secrets, and those that are not public.
struct OwnProperties {
    var session: (any HTTPSession)?
    var baseURL: URL?
    var path = ""
    var pathTemplate: String?
    var queryItems: [URLQueryItem] = []
    var body: Data?
    var idempotencyKey: IdempotencyKey?
    /// The account of ``APIBase/on(_:)``.
    var account: APIAccount?
    /// The line of code that started the call, if it is noted.
    var place: (fileID: String, line: Int)?
    /// The queue on which progress is published; `nil` for the thread of the transport.
    var progressQueue = ProgressQueue.ofThisSystem
}

extension APIBase {
    package func note(_ place: (fileID: String, line: Int)) { own.value.place = place }

    var chosenAccount: APIAccount? {
        get { own.value.account }
        set { own.value.account = newValue }
    }

    var progressQueue: ProgressQueue? {
        get { own.value.progressQueue }
        set { own.value.progressQueue = newValue }
    }
}
