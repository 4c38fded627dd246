import Basics

/// A component of a message that a signature covers (RFC 9421, section 2): a header field, or something derived from
/// the rest of the head.
///
/// A text is the field of that name, or the derived component if it begins with `@`: `"date"`, `"@method"`. Fields in
/// the form `sf` and fields of trailers (`tr`) are left out.
public struct SignatureComponent: Sendable, Hashable {
    let item: StructuredField.Item

    private init(_ name: String, _ parameter: String? = nil, _ value: StructuredField.BareItem = .boolean(true)) {
        var item = StructuredField.Item(value: .string(name))
        if let parameter { item.parameters[parameter] = value }
        self.item = item
    }

    init(_ item: StructuredField.Item) { self.item = item }

    /// The method of a request (section 2.2.1).
    public static let method = SignatureComponent("@method")
    /// The whole URL of a request, without a fragment (section 2.2.2).
    public static let targetURI = SignatureComponent("@target-uri")
    /// The host of a request in lower case, and its port unless that is the default of the scheme (section 2.2.3).
    public static let authority = SignatureComponent("@authority")
    /// The scheme of a request (section 2.2.4).
    public static let scheme = SignatureComponent("@scheme")
    /// The path and query of a request (section 2.2.5).
    public static let requestTarget = SignatureComponent("@request-target")
    /// The path of a request (section 2.2.6).
    public static let path = SignatureComponent("@path")
    /// The query of a request with its question mark, which is there without a query too (section 2.2.7).
    public static let query = SignatureComponent("@query")
    /// The status of a response (section 2.2.9).
    public static let status = SignatureComponent("@status")
    /// The digest of the body (RFC 9530, section 2). Who signs with it passes the body.
    public static let contentDigest = SignatureComponent("content-digest")

    /// A parameter of the query, which must occur exactly once (section 2.2.8).
    public static func queryParameter(_ name: String) -> SignatureComponent {
        SignatureComponent("@query-param", "name", .string(name.escapedForForm.replacing("+", with: "%20")))
    }

    /// A header field: its values, joined by commas (section 2.1).
    public static func field(_ name: String) -> SignatureComponent { SignatureComponent(name.lowercasedASCII()) }

    /// A header field whose values are covered as bytes, each for itself (section 2.1.3, `bs`).
    public static func bytes(ofField name: String) -> SignatureComponent {
        SignatureComponent(name.lowercasedASCII(), "bs")
    }

    /// A member of a header field that is a dictionary (section 2.1.2, `key`).
    public static func member(_ key: String, ofField name: String) -> SignatureComponent {
        SignatureComponent(name.lowercasedASCII(), "key", .string(key))
    }

    /// The same component of the request that a response answers (section 2.4, `req`).
    public var ofRequest: SignatureComponent {
        var item = item
        item.parameters["req"] = .boolean(true)
        return SignatureComponent(item)
    }

    /// The name of the field, or of the derived component with its `@`.
    var name: String {
        guard case .string(let name) = item.value else { return "" }
        return name
    }
}

extension SignatureComponent: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The field of this name, or the derived component if it begins with `@`.
    public init(stringLiteral value: String) { self.init(value.lowercasedASCII()) }

    /// The component as it stands in `Signature-Input`: `"@query-param";name="page"`.
    public var description: String { item.text }
}
