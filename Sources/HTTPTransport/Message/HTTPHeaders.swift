import Basics

/// Header fields in the order they were given, repeats included.
///
/// Names compare without case (ASCII; RFC 9110, section 5.1). Any text is accepted: what must not be sent fails when
/// the request is checked.
public struct HTTPHeaders: Sendable {
    var fields: [(name: String, value: String)]

    /// No headers.
    public init() {
        fields = []
    }

    /// The dictionary's entries, sorted by name, so that equal dictionaries give equal bytes on the wire.
    public init(_ dictionary: [String: String]) {
        fields = []
        // With room for the fields that every request gets.
        fields.reserveCapacity(dictionary.count + 2)
        for (name, value) in dictionary { fields.append((name, value)) }
        fields.sort { $0.name < $1.name }
    }

    /// All values of `name`, joined by `", "` (RFC 9110, section 5.3), or nil.
    ///
    /// Setting replaces them by one field, in the place of the first, or at the end if there was none. Setting nil
    /// removes them.
    public subscript(name: String) -> String? {
        get {
            var joined: String?
            for field in fields where field.name.equalsIgnoringCase(name) {
                joined?.append(", ")
                joined?.append(field.value)
                joined = joined ?? field.value
            }
            return joined
        }
        set {
            guard let newValue else { return remove(name: name) }
            guard let first = fields.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) else {
                return add(name: name, value: newValue)
            }
            fields[first] = (name, newValue)
            let rest = fields[(first + 1)...].filter { !$0.name.equalsIgnoringCase(name) }
            fields.replaceSubrange((first + 1)..., with: rest)
        }
    }

    /// Adds a field at the end, whether or not there is one of that name.
    public mutating func add(name: String, value: String) {
        fields.append((name, value))
    }

    /// Removes all fields of that name, if there are any.
    public mutating func remove(name: String) {
        fields.removeAll { $0.name.equalsIgnoringCase(name) }
    }

    /// The values of all fields of that name, in their order.
    public func values(for name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Whether there is a field of that name.
    public func contains(name: String) -> Bool {
        fields.contains { $0.name.equalsIgnoringCase(name) }
    }

    /// The number of fields, repeats counted.
    public var count: Int { fields.count }

    /// Whether there is no field.
    public var isEmpty: Bool { fields.isEmpty }

    /// One entry for each name, in the first one's spelling, as `URLRequest.allHTTPHeaderFields` takes it: repeats are
    /// joined by `", "`, those of `Cookie` by `"; "` (RFC 6265, section 5.4).
    public var dictionary: [String: String] {
        var dictionary: [String: String] = [:]
        dictionary.reserveCapacity(fields.count)
        var canonicalizer = NameCanonicalizer(fields)
        for index in fields.indices {
            let (name, value) = fields[index]
            if let spelling = canonicalizer.earlierSpelling(of: name, at: index) {
                let separator = name.equalsIgnoringCase("Cookie") ? "; " : ", "
                dictionary[spelling, default: ""].append(separator + value)
            } else {
                dictionary[name] = value
            }
        }
        return dictionary
    }
}

/// Maps each name to the spelling in which it came first.
private struct NameCanonicalizer {
    /// The number of names up to which comparing is faster than hashing.
    private static let maxCompared = 32

    private let fields: [(name: String, value: String)]
    private var seen: [String: String] = [:]

    init(_ fields: [(name: String, value: String)]) { self.fields = fields }

    /// The spelling of an earlier field with this name; nil for the first. To be called for each field in turn.
    mutating func earlierSpelling(of name: String, at index: Int) -> String? {
        guard fields.count > Self.maxCompared else {
            return fields[..<index].first { $0.name.equalsIgnoringCase(name) }?.name
        }
        let key = name.lowercasedASCII()
        if let spelling = seen[key] { return spelling }
        seen[key] = name
        return nil
    }
}

extension HTTPHeaders {
    /// The usual names of headers that carry credentials, which are never sent to another origin after a redirect, and
    /// never printed. All sets of secret headers in this package are compared without case.
    ///
    /// Other names are secret by a rule:
    ///
    /// - One of their words, separated by `-` or `_`, is `Token`, `Secret`, `Auth`, `Authorization`, `Authentication`,
    ///   `JWT`, `Assertion`, `Session`, `Cookie`, `Credential`, `OTP`, `MFA`, `Password`, `Passphrase`, `PIN`, `CSRF`,
    ///   `Signature`, `HMAC` or the like, or ends in one of them: `AuthToken`, `X-Hub-Signature-256`,
    ///   `Cf-Access-Jwt-Assertion`, `Authentication-Info`. A last word that only describes it makes an exception:
    ///   `X-Token-Type`, `X-Auth-Status`, `Signature-Input`.
    /// - The last word is `Key`, or `Code` after a word such as `Recovery` or `Verification`. `Idempotency-Key`,
    ///   `Cache-Key`, `Surrogate-Key` and other keys that give no access are exceptions.
    /// - Names that begin with `Access-Control-`, `Accept-`, `Want-` or `Sec-WebSocket-` are never secret by the rule.
    ///
    /// A request can add names to this set, but not remove any.
    public static let secretNames: Set<String> = [
        "Authorization", "Cookie", "Set-Cookie", "Proxy-Authorization", "WWW-Authenticate", "Proxy-Authenticate",
        "X-Api-Key", "Api-Key", "ApiKey", "X-Auth-Token", "X-Access-Token", "X-Auth", "X-Csrf-Token", "X-Xsrf-Token",
        "X-Amz-Security-Token", "X-Goog-Api-Key", "DPoP", "X-Amzn-Oidc-Data", "X-Ms-Client-Principal",
    ]

    private static let lowercasedSecretNames = Set(secretNames.map { $0.lowercasedASCII() })

    /// Whether `name` is one of ``secretNames`` or of `others`, or a secret one by the rule.
    ///
    /// Used wherever a credential is withheld: in redirects, in printed headers, and in the kit in `intercept`, caches,
    /// logs and recordings.
    package static func isSecret(_ name: String, in others: Set<String>) -> Bool {
        let name = name.lowercasedASCII()
        return lowercasedSecretNames.contains(name)
            || others.contains { $0.equalsIgnoringCase(name) } || SecretHeaderRule.isSecret(name)
    }
}

extension HTTPHeaders: Sequence {
    /// The fields in their order.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
        fields.makeIterator()
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The literal's fields in their order; repeats are allowed.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: Hashable {
    /// Whether both have the same names, compared without case, with the same values in the same order. The order of
    /// different names does not matter (RFC 9110, section 5.3).
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.count == right.fields.count && left.valuesByName == right.valuesByName
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(valuesByName)
    }

    private var valuesByName: [String: [String]] {
        Dictionary(grouping: fields) { $0.name.lowercasedASCII() }.mapValues { $0.map(\.value) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields in one line, as `["Accept": "text/csv"]`, with line ends escaped; the values of the names in
    /// ``HTTPHeaders/secretNames`` are `<redacted>`.
    public var description: String {
        let fields = redacted.map { "\($0.name.debugDescription): \($0.value.debugDescription)" }
        return "[\(fields.isEmpty ? ":" : fields.joined(separator: ", "))]"
    }

    /// The mirror for `dump`: the fields, redacted as in ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: redacted.map { (label: $0.name, value: $0.value) }, displayStyle: .struct)
    }

    private var redacted: [(name: String, value: String)] {
        fields.map { ($0.name, HTTPHeaders.isSecret($0.name, in: []) ? "<redacted>" : $0.value) }
    }
}
