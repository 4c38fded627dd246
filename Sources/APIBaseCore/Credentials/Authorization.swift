/// The credentials of a call, which each of its attempts carries.
///
/// A header of the same name from ``APIBase/headers`` or an override of ``APIBase/buildURLRequest()`` takes precedence.
/// Credentials are never sent to another origin, and never printed.
public struct Authorization: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case header(name: String, value: String)
        case tokens(TokenSource)
        case scheme(AuthenticationScheme)
        case invalid(TransportError.InvalidRequest)
    }

    let kind: Kind

    /// A token that does not change (RFC 6750). An empty one makes the request fail to build.
    public static func bearer(_ token: String) -> Authorization {
        guard !token.isEmpty else {
            return Authorization(kind: .invalid(.init(.headerValue(name: "Authorization"), .missing)))
        }
        return header("Authorization", "Bearer \(token)")
    }

    /// A name and a password, in UTF-8 (RFC 7617). They are not encrypted, so use them only over TLS.
    ///
    /// A name with a colon, or a control character in either, makes the request fail to build (RFC 7617, section 2).
    public static func basic(user: String, password: String) -> Authorization {
        if user.utf8.contains(UInt8(ascii: ":")) { return Authorization(kind: .invalid(.init(.userName, .colon))) }
        if let invalid = invalidText(user, password) { return Authorization(kind: .invalid(invalid)) }
        return header("Authorization", "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
    }

    /// Any header, such as that of an API key.
    public static func header(_ name: String, _ value: String) -> Authorization {
        Authorization(kind: .header(name: name, value: value))
    }

    /// Tokens that are renewed when they expire or the server refuses them.
    public static func tokens(_ source: TokenSource) -> Authorization { Authorization(kind: .tokens(source)) }

    /// The control character in a name or a password; `nil` if there is none.
    package static func invalidText(_ user: String, _ password: String) -> TransportError.InvalidRequest? {
        let parts: [(TransportError.InvalidRequest.Part, String)] = [(.userName, user), (.password, password)]
        for (part, text) in parts {
            if let byte = text.utf8.first(where: { $0 < 0x20 || $0 == 0x7F }) {
                return TransportError.InvalidRequest(part, .forbiddenByte(byte))
            }
        }
        return nil
    }

    /// The headers that carry the credentials.
    package var headerNames: [String] {
        switch kind {
        case .header(let name, _): [name]
        case .scheme(let scheme): scheme.headers
        case .tokens, .invalid: Self.usual
        }
    }
    private static let usual = ["Authorization"]

    /// The object that authenticates; `nil` for credentials that are a value.
    var owner: (any AnyObject & Sendable)? {
        switch kind {
        case .tokens(let source): source
        case .scheme(let scheme): scheme.object
        case .header, .invalid: nil
        }
    }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
    /// The name of the header, without its value.
    public var description: String { "<\(headerNames.joined(separator: ", "))>" }

    /// An empty mirror: `dump` does not show credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
