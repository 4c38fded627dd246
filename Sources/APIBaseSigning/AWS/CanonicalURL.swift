import Basics

/// Paths and queries as AWS signs them ("Create a signed AWS API request", step 1).
enum CanonicalURL {
    /// The path of a request to S3: not normalized, with one escape for each byte that is not unreserved.
    static func objectPath(_ path: String) -> String { escapedOnce(path, keeping: "/") }

    /// The path of a request to any other service: without dot segments and empty segments, and with the escapes that
    /// it already has escaped again.
    static func path(_ path: String) -> String { escaped(normalized(path), keeping: "/") }

    /// The query, with escapes as AWS writes them, sorted by name and then by value. A parameter without a value gets
    /// an equals sign.
    static func query(_ query: String?) -> String {
        let parameters = (query ?? "").split(separator: "&").map { parameter in
            let name = parameter.prefix { $0 != "=" }
            return (escapedOnce(String(name)), escapedOnce(String(parameter.dropFirst(name.count + 1))))
        }
        let sorted = parameters.sorted {
            $0.0 == $1.0
                ? $0.1.utf8.lexicographicallyPrecedes($1.1.utf8) : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
        }
        return sorted.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// RFC 3986, section 5.2.4, and empty segments removed.
    private static func normalized(_ path: String) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        let end = path.hasSuffix("/") && !segments.isEmpty ? "/" : ""
        return "/" + segments.joined(separator: "/") + end
    }

    /// The text with each byte escaped that is not unreserved, also the percent signs of escapes.
    static func escaped(_ text: String, keeping kept: StaticString = "") -> String {
        text.withBytes { bytes in
            bytes.escaped { index in bytes[index].isUnreserved || kept.contains(bytes[index]) }
        } ?? text
    }

    /// The text with each byte escaped that is not unreserved, and each escape as it would be written for its byte.
    private static func escapedOnce(_ text: String, keeping kept: StaticString = "") -> String {
        var result = ""
        text.withBytes { bytes in
            var index = 0
            while index < bytes.count {
                if let byte = bytes.escape(at: index) {
                    // An escaped slash is not the slash that is kept.
                    result += escaped(byte, isKept: false)
                    index += 3
                } else {
                    result += escaped(bytes[index], isKept: kept.contains(bytes[index]))
                    index += 1
                }
            }
        }
        return result
    }

    private static func escaped(_ byte: UInt8, isKept: Bool) -> String {
        if isKept || byte.isUnreserved { return String(Unicode.Scalar(byte)) }
        return "%" + String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
    }
}

extension StaticString {
    fileprivate func contains(_ byte: UInt8) -> Bool { withUTF8Buffer { $0.contains(byte) } }
}
