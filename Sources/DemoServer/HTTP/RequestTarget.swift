import Basics

/// The target of a request (RFC 9112, section 3.2).
struct RequestTarget: Equatable {
    /// As sent, without query.
    let path: String
    /// Decoded, one for each piece between slashes; an empty piece at the end is left out.
    let segments: [String]
    /// Decoded, in order; a name without `=` has an empty value.
    let query: [QueryItem]
    /// From an absolute target; stands above the `Host` field.
    let authority: String?

    /// Reads an origin-form, absolute-form or asterisk-form target.
    init(_ target: String, method: String) throws(HTTPFault) {
        guard !target.isEmpty, target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw HTTPFault(400, "The request target holds a character that must be percent-encoded.")
        }
        guard !target.utf8.contains(UInt8(ascii: "#")) else {
            throw HTTPFault(400, "The request target has a fragment.")
        }
        var rest = target[...]
        if target == "*" {
            guard method == "OPTIONS" else { throw HTTPFault(400, "Only OPTIONS may ask for \"*\".") }
            (path, segments, query, authority) = ("*", [], [], nil)
            return
        }
        if let after = Self.afterScheme(target) {
            let end = after.firstIndex { $0 == "/" || $0 == "?" } ?? after.endIndex
            let authority = String(after[..<end])
            guard !authority.isEmpty, Self.isAuthority(authority) else {
                throw HTTPFault(400, "The request target has no valid host.")
            }
            self.authority = authority
            rest = after[end...]
            if !rest.hasPrefix("/") { rest = "/" + rest }
        } else {
            guard target.hasPrefix("/") else { throw HTTPFault(400, "The request target is not a path.") }
            authority = nil
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        var segments: [String] = []
        for piece in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try Self.decoded(piece, plusIsBlank: false))
        }
        if segments.last?.isEmpty == true { segments.removeLast() }
        self.segments = segments
        var query: [QueryItem] = []
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query.append(
                QueryItem(
                    name: try Self.decoded(halves[0], plusIsBlank: true),
                    value: halves.count > 1 ? try Self.decoded(halves[1], plusIsBlank: true) : ""
                )
            )
        }
        self.query = query
    }

    /// Whether it can be a host with an optional port: nothing more is asked, as nothing is looked up with it.
    static func isAuthority(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isTokenByte || "[]:()=;,".utf8.contains($0) }
    }

    private static func afterScheme(_ target: String) -> Substring? {
        for scheme in ["http://", "https://"]
        where target.utf8.count > scheme.utf8.count && target.prefix(scheme.count).isSameName(as: scheme) {
            return target.dropFirst(scheme.count)
        }
        return nil
    }

    private static func decoded(_ text: Substring, plusIsBlank: Bool) throws(HTTPFault) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else {
                    throw HTTPFault(400, "The request target has a \"%\" without two hexadecimal digits.")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(valid: bytes), !bytes.contains(0) else {
            throw HTTPFault(400, "The request target does not decode to text.")
        }
        return decoded
    }
}
