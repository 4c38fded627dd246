import Basics
import HTTPTransport

/// An event in the life of a call, for logs, metrics and traces: see ``APIBase/report(_:)``.
///
/// A call that is sent once gives ``began(_:)``, ``sent(_:)``, ``head(_:_:)`` and ``ended(_:)``. The last event of each
/// call is either ``ended(_:)`` or ``failed(_:_:)``, also if it is canceled.
public enum CallEvent: Sendable {
    /// An attempt begins: its request has been built. The task locals of the code that started the call apply, as in
    /// ``APIBase/startRequest()``.
    case began(Info)
    /// The request is handed to the session or a stub, with its credentials and the changes of
    /// ``APIBase/intercept(_:next:)``.
    case sent(Info)
    /// The status and the headers of a response have arrived.
    case head(Info, ResponseHead)
    /// The attempt has failed, and another follows after this delay. The timings are those of this attempt, and
    /// ``CallTimings/error`` is its error if there was no response.
    case retrying(CallTimings, after: Duration)
    /// The server has refused a token, has sent a challenge for Digest, or does not know a GraphQL query by its hash.
    /// The request is sent again with another token, with the answer, or with the text of the query.
    case refreshed(Info)
    /// The call is not sent, because an equal one is under way: see ``Sharing/safeMethods``. It gets the result of that
    /// one.
    case shared(Info)
    /// A stored response answers the call: see ``APIBase/cache``.
    case cached(Info, CacheOutcome)
    /// A feature of the call has something to tell, such as that it goes on without a store: the type says what.
    case noted(Info, any CallNote)
    /// The call has ended with a complete response, whatever its status.
    case ended(CallTimings)
    /// The call has ended without a response. The error is `CancellationError` if it was canceled.
    case failed(any Error, CallTimings)

    /// The call that the event belongs to.
    public var call: Info {
        switch self {
        case .began(let call), .sent(let call), .head(let call, _), .refreshed(let call),
            .shared(let call), .cached(let call, _), .noted(let call, _):
            call
        case .retrying(let timings, _), .ended(let timings), .failed(_, let timings): timings.call
        }
    }

    /// The timings of the call or the attempt that the event ends; `nil` for other events.
    public var timings: CallTimings? {
        switch self {
        case .retrying(let timings, _), .ended(let timings), .failed(_, let timings): timings
        case .began, .sent, .head, .refreshed, .shared, .cached, .noted: nil
        }
    }
}

/// The note of a feature in ``CallEvent/noted(_:_:)``.
public protocol CallNote: Sendable, CustomStringConvertible {}

extension CallEvent {
    /// The call that an event belongs to.
    public struct Info: Sendable {
        /// The number of the call, unique in the process. Each subscription is a call.
        public let id: Int
        /// The number of the attempt, from 1.
        public let attempt: Int
        /// The class of the request object.
        public let type: APIBase.Type
        /// The name of the call's account: see ``APIAccount/name``.
        public let account: String?
        /// The call whose request is shown to a ``CallWatcher``: set in ``CallWatcher/attempt(_:)``, `nil` elsewhere.
        public static var current: Info? { watched }
        @TaskLocal static var watched: Info?
        /// The path of the request object with its template, if it has one.
        private let path: EndpointPath?
        package let place: (fileID: String, line: Int)?

        /// The request with its secrets, and what its connection is switched to.
        package let sent: URLRequest?
        package let upgrade: ConnectionUpgrade?
        /// Those that the call has sent besides it: before it, and after redirects.
        private let others: [URLRequest]
        /// The names of headers that the API declares secret.
        package let secretHeaders: Set<String>

        private static let lastID = Locked(0)

        static func nextID() -> Int {
            lastID.withLock { last in
                last += 1
                return last
            }
        }

        init(of call: Call, _ attempt: Int, _ request: URLRequest?, others: [URLRequest]) {
            id = call.id
            self.attempt = attempt
            self.others = others
            type = Swift.type(of: call.api)
            account = call.account?.name
            (path, place) = (call.api.endpointPath, call.api.own.value.place)
            (sent, upgrade) = (request, call.variant?.lastUpgrade)
            secretHeaders = call.secretHeaders
        }

        /// The method; `nil` if the request was not built, as when the ``APIBase/gate`` has not let the attempt pass.
        public var method: HTTPMethod? { sent?.method }

        /// The URL of the request, without user-info, fragment and values of the query, and without the secrets of the
        /// request, which a server may have put into the URL of a page; `nil` if it was not built.
        public var url: URL? { sent == nil ? nil : redactor(.default).secrets.removed(from: sent?.url?.redacted) }

        /// The template of the path, such as `/books/{id}`: ``APIBase/pathTemplate``. `nil` if the request has another
        /// path, such as that of a page or a poll, or if the template is a URL.
        public var pathTemplate: String? { sent?.url.flatMap { path?.template(in: $0)?.path } }

        /// The template with the path of the base URL in front of it.
        package var wholeTemplate: String? {
            guard let (front, template) = sent?.url.flatMap({ path?.template(in: $0) }) else { return nil }
            return redactor(.default).secrets.removed(from: front) + template
        }

        /// The request without secrets: ``url``, and headers and body without values of secret names. They are left out
        /// wherever else they stand in the request, in any spelling. A body that is not in memory, or in a content
        /// coding, is left out. `nil` if the request was not built.
        public var request: URLRequest? { request(without: .default) }

        /// A redactor that knows the secrets of the call's requests.
        package func redactor(_ redaction: RedactionRules) -> Redactor {
            var redactor = Redactor(redaction, secretHeaders: secretHeaders)
            for request in others { redactor.remember(request) }
            if let sent { redactor.remember(sent) }
            return redactor
        }

        /// The request without the secrets of these names.
        public func request(without redaction: RedactionRules) -> URLRequest? {
            guard var request = sent else { return nil }
            var redactor = redactor(redaction)
            let secrets = redactor.secrets
            request.url = secrets.removed(from: request.url?.redacted)
            for (name, value) in request.allHTTPHeaderFields ?? [:] {
                let clean = secrets.removed(from: redactor.redacted(value, ofHeader: name))
                if clean != value { request.setValue(clean, forHTTPHeaderField: name) }
            }
            let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
            let body = request.bodyCodings.isEmpty ? request.httpBody : nil
            request.httpBody = body.map { secrets.removed(from: redactor.redacted($0, type: type)) }
            return request
        }
    }
}

extension CallEvent.Info: CustomStringConvertible, CustomReflectable {
    /// The class, the method and the URL: `BookRequest GET https://books.example/v2/books/7`.
    public var description: String { text(without: redactor(.default).secrets) }

    /// The description without these secrets.
    package func text(without secrets: Secrets) -> String {
        let url = secrets.removed(from: sent?.url?.redacted)?.absoluteString
        let request = method.map { "\($0) \(url ?? "")" } ?? "without a request"
        return "\(type) \(request)".withoutControls
    }

    /// The description: `dump` shows no headers and no body.
    public var customMirror: Mirror {
        Mirror(self, children: ["id": id, "attempt": attempt, "call": description])
    }
}
