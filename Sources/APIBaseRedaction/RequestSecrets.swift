import Basics
import HTTPTransport

/// The secrets of a call, which the server may repeat in its answer: those of all its requests. All are equal, so that
/// they do not affect the comparison of errors that contain them.
///
/// They are looked for when a text is shown for the first time, since few errors are. Then the requests are released.
package final class RequestSecrets: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    private enum State {
        case unread([URLRequest], secretHeaders: Set<String>)
        case read(Secrets)
    }

    private let state: Locked<State>
    private let others: [RequestSecrets]

    /// No secrets, as of a response whose request is not known.
    package static let none = RequestSecrets(of: [], secretHeaders: [])

    /// The secrets of a call that is not known, as that of bytes that an operator reads.
    package static let unknown = RequestSecrets(of: [], secretHeaders: [])

    /// - Parameters:
    ///   - requests: The requests.
    ///   - secretHeaders: The names of headers that the API declares secret.
    ///   - others: The secrets of other calls that belong to these.
    package init(of requests: [URLRequest], secretHeaders: Set<String>, and others: [RequestSecrets] = []) {
        state = Locked(.unread(requests, secretHeaders: secretHeaders))
        self.others = others
    }

    /// These secrets and the other ones: an error may come from a call inside another, as for a token.
    package func and(_ other: RequestSecrets) -> RequestSecrets {
        if self === RequestSecrets.none || self === RequestSecrets.unknown { return other }
        if other === RequestSecrets.none || other === self || others.contains(where: { $0 === other }) { return self }
        return RequestSecrets(of: [], secretHeaders: [], and: [self, other])
    }

    /// The values with a secret name or place in the requests.
    private var values: Secrets {
        let (requests, secretHeaders): ([URLRequest], Set<String>)
        switch state.withLock({ $0 }) {
        case .read(let secrets): return secrets
        case .unread(let unread, let names): (requests, secretHeaders) = (unread, names)
        }
        var redactor = Redactor(secretHeaders: secretHeaders)
        for request in requests { redactor.remember(request) }
        var secrets = redactor.secrets
        for other in others { secrets.formUnion(other.values) }
        state.withLock { [secrets] in $0 = .read(secrets) }
        return secrets
    }

    package func removed(from text: String) -> String { values.removed(from: text) }

    package func removed(from url: URL?) -> URL? { values.removed(from: url) }

    package var description: String { "<secrets>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
    package static func == (left: RequestSecrets, right: RequestSecrets) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

extension Redactor {
    /// The longest body that is searched for secrets, in bytes.
    package static let bodyLimit = 256 << 10

    /// Remembers the values with a secret name or place in a request.
    package mutating func remember(_ request: URLRequest) {
        _ = redacted(request.url?.absoluteString ?? "")
        for (name, value) in request.allHTTPHeaderFields ?? [:] { _ = redacted(value, ofHeader: name) }
        guard let body = request.httpBody, request.bodyCodings.isEmpty else { return }
        _ = redacted(body.prefix(Self.bodyLimit), type: request.value(forHTTPHeaderField: "Content-Type") ?? "")
    }
}

extension Secrets {
    /// The URL without the secrets; without its path, if what is left is no URL.
    package func removed(from url: URL?) -> URL? {
        guard let url else { return nil }
        let text = url.absoluteString
        let clean = removed(from: text)
        return clean == text ? url : URL(string: clean) ?? URL(string: "/", relativeTo: url)?.absoluteURL
    }
}

extension URLRequest {
    /// The codings of the body.
    package var bodyCodings: ContentCodings { ContentCodings(value(forHTTPHeaderField: "Content-Encoding")) }
}
