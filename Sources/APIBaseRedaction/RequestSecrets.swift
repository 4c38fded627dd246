import Basics
import HTTPTransport

/// The secrets of a request, which the server may repeat in its answer. All are equal, so that they do not affect the
/// comparison of errors that contain them.
///
/// They are looked for when a text is shown, since few errors are.
package struct RequestSecrets: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The longest body that is searched for secrets, in bytes.
    private static let bodyLimit = 256 << 10

    private let request: URLRequest?
    private let secretHeaders: Set<String>

    /// No secrets, as of a response whose request is not known.
    package static let none = RequestSecrets(of: nil, secretHeaders: [])

    package init(of request: URLRequest?, secretHeaders: Set<String>) {
        (self.request, self.secretHeaders) = (request, secretHeaders)
    }

    /// These secrets, or else the other ones: an error may come from a call inside another, as for a token.
    package func orElse(_ others: RequestSecrets) -> RequestSecrets { request == nil ? others : self }

    /// The values with a secret name or place in the request.
    var values: Secrets {
        guard let request else { return Secrets() }
        var redactor = Redactor(secretHeaders: secretHeaders)
        _ = redactor.redacted(request.url?.absoluteString ?? "")
        for (name, value) in request.allHTTPHeaderFields ?? [:] { _ = redactor.redacted(value, ofHeader: name) }
        if let body = request.httpBody, request.bodyCodings.isEmpty {
            let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
            _ = redactor.redacted(body.prefix(Self.bodyLimit), type: type)
        }
        return redactor.secrets
    }

    package func removed(from text: String) -> String { request == nil ? text : values.removed(from: text) }

    /// The URL; one without path, if the path has secrets.
    package func removed(from url: URL?) -> URL? {
        // The usual case: the URL of the request itself.
        guard let url, url.absoluteString != request?.url?.redacted?.absoluteString else { return url }
        let text = url.absoluteString
        let clean = removed(from: text)
        return clean == text ? url : URL(string: clean) ?? URL(string: "/", relativeTo: url)?.absoluteURL
    }

    package var description: String { "<secrets>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
    package static func == (left: RequestSecrets, right: RequestSecrets) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

extension URLRequest {
    /// The codings of the body.
    package var bodyCodings: ContentCodings { ContentCodings(value(forHTTPHeaderField: "Content-Encoding")) }
}
