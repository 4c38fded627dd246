import Basics
import HTTPTransport

/// The call that an event belongs to.
public struct CallInfo: Sendable {
    /// The number of the call: another one for each subscription, in the whole process.
    public let id: Int
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// The class of the request object.
    public let type: APIBase.Type

    private let sent: URLRequest?
    private let secretHeaders: Set<String>

    private static let lastID = Locked(0)

    static func nextID() -> Int {
        lastID.withLock { last in
            last += 1
            return last
        }
    }

    init(id: Int, attempt: Int, api: APIBase, request: URLRequest?) {
        self.id = id
        self.attempt = attempt
        type = Swift.type(of: api)
        sent = request
        secretHeaders = api.allSecretHeaders
    }

    /// The method; `nil` if the request was not built: it could not be, or the ``APIBase/gate`` has not let the attempt pass.
    public var method: HTTPMethod? { sent.map { HTTPMethod(rawValue: $0.httpMethod ?? "GET") } }

    /// The URL of the request, without user-info, fragment and values of the query; `nil` if it was not built.
    public var url: URL? { sent?.url?.redacted }

    /// The request without secrets: ``url``, the headers without the values of secret ones, and the body, if it is bytes in
    /// memory, without the values of secret fields. `nil` if it was not built.
    public var request: URLRequest? { request(without: .default) }

    /// The names of secrets in what is sent and comes.
    func names(for redaction: Redaction) -> SecretNames { SecretNames(redaction, secretHeaders: secretHeaders) }

    /// The request without what is secret by these names.
    public func request(without redaction: Redaction) -> URLRequest? {
        let names = names(for: redaction)
        guard var request = head(without: names) else { return nil }
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        if let body = request.httpBody, let clean = names.redactedBody(Array(body), type: type) {
            request.httpBody = Data(clean.bytes)
        }
        return request
    }

    /// The request without secrets in its URL and headers. The body is as it was sent.
    func head(without names: SecretNames) -> URLRequest? {
        guard var request = sent else { return nil }
        request.url = url
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            let clean = names.hasHeader(name) ? Redaction.marker : names.withoutSecrets(value)
            if clean != value { request.setValue(clean, forHTTPHeaderField: name) }
        }
        return request
    }
}

extension CallInfo: CustomStringConvertible, CustomReflectable {
    /// The class, the method and the URL: `BookRequest GET https://books.example/v2/books/7`.
    public var description: String {
        let request = method.map { "\($0) \(url?.absoluteString ?? "")" } ?? "without a request"
        return "\(type) \(request)".withoutControls
    }

    /// The description: `dump` shows no headers and no body.
    public var customMirror: Mirror {
        Mirror(self, children: ["id": id, "attempt": attempt, "call": description])
    }
}
