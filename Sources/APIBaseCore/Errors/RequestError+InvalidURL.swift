extension RequestError {
    /// The error of a URL that cannot be built: the wrong part, and the reason.
    public struct InvalidURL: Error, LocalizedError, Sendable, Hashable {
        /// A part of the URL.
        public enum Part: Sendable, Hashable {
            /// ``APIBase/baseURL``.
            case baseURL
            /// ``APIBase/path``.
            case path
            /// A parameter in the path, given with `\(segment: …)`.
            case segment
            /// The URL as a whole.
            case url
        }

        /// A reason.
        public enum Reason: Sendable, Hashable {
            /// There is no base URL, and the path is not an absolute URL.
            case missing
            /// The scheme is neither `http` nor `https`. `nil` for a URL without a scheme.
            case scheme(String?)
            /// There is no host.
            case noHost
            /// There is a user name or password. Credentials belong in a header.
            case userInfo
            /// There is a fragment, which is never sent to a server.
            case fragment
            /// There is a `?` in the path. The query belongs in ``APIBase/queryItems``.
            case query
            /// There is a backslash, which many servers treat as a slash.
            case backslash
            /// There is a control character, plain or escaped.
            case controlCharacter
            /// There is a `.` or `..` between slashes, plain or escaped, which would lead to another path.
            case dotSegment
            /// The path segment is empty.
            case empty
            /// The URL leads to another scheme, host or port than the base URL.
            case foreignOrigin
            /// The request object no longer exists.
            case noRequest
            /// The text is not a URL.
            case malformed
        }

        /// The part that is wrong.
        public let part: Part
        /// The reason why it is refused.
        public let reason: Reason

        package init(_ part: Part, _ reason: Reason) {
            self.part = part
            self.reason = reason
        }

        /// A sentence with the error and its remedy.
        public var errorDescription: String? {
            "The \(part.name) cannot be used: \(reason.explanation)"
        }
    }
}

extension RequestError.InvalidURL.Part {
    fileprivate var name: String {
        switch self {
        case .baseURL: "base URL"
        case .path: "path"
        case .segment: "path segment"
        case .url: "URL"
        }
    }
}

extension RequestError.InvalidURL.Reason {
    fileprivate var explanation: String {
        switch self {
        case .missing: "it is nil, and the path is not an absolute URL; set baseURL."
        case .scheme(let scheme?): "its scheme is “\(scheme)”; use http or https."
        case .scheme(nil): "it has no scheme; use http or https."
        case .noHost: "it has no host."
        case .userInfo: "it holds a user name or password; send credentials in a header."
        case .fragment: "it holds “#”, and a fragment is never sent; escape it as %23 or leave it out."
        case .query: "it holds “?”; put the query into queryItems, or escape it as %3F."
        case .backslash: "it holds a backslash; use a slash, or escape it as %5C."
        case .controlCharacter: "it holds a control character."
        case .dotSegment: "it holds “.” or “..” between slashes; write the path that is meant."
        case .empty: "it is empty."
        case .foreignOrigin: "it leads to another origin than the base URL; use a request without a base URL for it."
        case .noRequest: "the request object is gone."
        case .malformed: "it cannot be read as a URL."
        }
    }
}
