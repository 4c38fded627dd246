import Basics

/// The headers that carry credentials. They are never sent to another origin after a redirect, and never printed.
public enum SecretHeaders {
    /// The usual names. Every name that ends in `-Token` or `-Secret` is secret as well. All sets of secret headers in
    /// this package are compared without case.
    ///
    /// A request can add names to this set, but not remove any.
    public static let `default`: Set<String> = [
        "Authorization", "Cookie", "Set-Cookie", "Proxy-Authorization", "WWW-Authenticate", "Proxy-Authenticate",
        "X-Api-Key", "Api-Key", "ApiKey", "X-Auth-Token", "X-Access-Token", "X-Auth", "X-Csrf-Token", "X-Xsrf-Token",
        "X-Amz-Security-Token", "X-Goog-Api-Key",
    ]

    /// Whether `name` is one of the default names or of `others`, or ends as names of secrets do.
    ///
    /// Used wherever a credential is withheld: in redirects, in printed ``HTTPHeaders``, and in the kit in `intercept`,
    /// caches, logs and recordings.
    package static func contains(_ name: String, in others: Set<String>) -> Bool {
        let name = name.lowercasedASCII()
        return lowercased.contains(name) || name.hasSuffix("-token") || name.hasSuffix("-secret")
            || others.contains { $0.equalsIgnoringCase(name) }
    }

    private static let lowercased = Set(Self.default.map { $0.lowercasedASCII() })
}
