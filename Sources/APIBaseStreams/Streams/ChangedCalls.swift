import Basics
import HTTPTransport

/// The calls of an update or of polls, which differ from those of their request object.
final class ChangedCalls: CallVariants {
    /// The difference.
    enum Change: Sendable {
        case none
        /// A stored response is validated.
        case validate
        /// The resource is changed by these bytes if it still has this tag. Their type is by default that of the object.
        case write(Data, type: String?, tag: EntityTag, method: HTTPMethod)
        /// This URL is asked by `GET`, without credentials if it is foreign.
        case poll(URL, isForeign: Bool)
    }

    private let object: ObjectIdentifier
    private let change: Change
    private let contentType: String?
    private let secretHeaders: Set<String>
    /// The idempotency key of a write, which all of its attempts carry.
    private let key: String?
    private let recorder: HeadRecorder

    /// Changes the calls of an object. `secretsOfNamer` are those of the call whose response has named the URL.
    init(of api: APIBase, to change: Change, secretsOfNamer: RequestSecrets? = nil) {
        recorder = HeadRecorder(secretsOfNamer: secretsOfNamer)
        object = ObjectIdentifier(api)
        self.change = change
        contentType = api.contentType
        secretHeaders = api.allSecretHeaders(of: api.account)
        switch (change, api.idempotencyKey) {
        case (.write(_, _, _, let method), .automatic) where [.post, .patch].contains(method): key = UUID().uuidString
        default: key = nil
        }
    }

    /// Whether the server may have performed a request before the last one, which it has refused. It has not if nothing
    /// was sent, or if it has answered with a status of 4xx but 408.
    var mayBeDone: Bool { recorder.mayBeDone }

    /// The last response.
    var reply: HeadRecorder.Reply? { recorder.reply }

    /// Starts the calls.
    func run<Value>(_ body: () -> Value) -> Value {
        CallLocals.with(HeadRecorder.self, recorder) { CallLocals.with(StartedVariants.self, self, body) }
    }

    private func changed(_ original: URLRequest) throws -> URLRequest {
        var request = original
        switch change {
        case .none: break
        case .validate: try request.add("Cache-Control", "no-cache")
        case .poll(let url, let isForeign): return request.poll(of: url, without: isForeign ? secretHeaders : nil)
        case .write(let body, let type, let tag, let method):
            request.httpMethod = method.rawValue
            request.httpBody = body
            try request.add("If-Match", tag.text)
            try request.add("Content-Length", String(body.count))
            if let contentType = type ?? contentType, request.value(forHTTPHeaderField: "Content-Type") == nil {
                try request.add("Content-Type", contentType)
            }
            if let key { try request.add(IdempotencyKey.header, key) }
        }
        return request
    }
}

extension ChangedCalls: CallVariant {
    /// Only the calls of the request object differ, not those that renew its token.
    func variant(of api: APIBase) -> (any CallVariant)? {
        guard ObjectIdentifier(api) == object else { return nil }
        if case .none = change { return nil }
        return self
    }

    func request(_ build: () throws -> URLRequest) throws -> URLRequest { try changed(build()) }

    var hasOwnBody: Bool { if case .poll = change { false } else { true } }

    var isForeign: Bool { if case .poll(_, let isForeign) = change { isForeign } else { false } }
}

extension String {
    /// Whether a header of this name is about the body that is sent, or the sending of it.
    fileprivate var belongsToBody: Bool {
        lowercasedASCII().hasPrefix("content-") || equalsIgnoringCase(IdempotencyKey.header)
    }
}

extension URLRequest {
    /// A `GET` of another URL, without the body, and without secrets if there are names of secret headers.
    fileprivate func poll(of url: URL, without secretHeaders: Set<String>?) -> URLRequest {
        var poll = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeoutInterval)
        for (name, value) in allHTTPHeaderFields ?? [:] where !name.belongsToBody {
            if let secretHeaders, HTTPHeaders.isSecret(name, in: secretHeaders) { continue }
            poll.setValue(value, forHTTPHeaderField: name)
        }
        return poll
    }
}
