import Basics

/// The headers that carry credentials: never sent to another origin after a redirect, never printed.
public enum SecretHeaders {
    /// The usual ones, beside which every name is secret that ends in `-Token` or in `-Secret`. Compared without case, like
    /// every set of secret headers in this package.
    ///
    /// These are secret even if a request declares other names: a request can add to the set, not take from it.
    public static let `default`: Set<String> = [
        "Authorization", "Cookie", "Set-Cookie", "Proxy-Authorization", "WWW-Authenticate", "Proxy-Authenticate",
        "X-Api-Key", "Api-Key", "ApiKey", "X-Auth-Token", "X-Access-Token", "X-Auth", "X-Csrf-Token", "X-Xsrf-Token",
        "X-Amz-Security-Token", "X-Goog-Api-Key",
    ]

    /// Whether `name` is one of the default secrets or of `others`, compared without case, or ends as secrets are called.
    ///
    /// Everything that keeps a credential from somebody asks this: redirects, ``HTTPHeaders`` in print, and in the kit
    /// `intercept`, caches, logs and recordings.
    package static func contains(_ name: String, in others: Set<String>) -> Bool {
        let name = name.lowercasedASCII()
        return lowercased.contains(name) || name.hasSuffix("-token") || name.hasSuffix("-secret")
            || others.contains { $0.equalsIgnoringCase(name) }
    }

    private static let lowercased = Set(Self.default.map { $0.lowercasedASCII() })
}
