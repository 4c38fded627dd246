import APIBaseKit
import Basics

/// The name that a server gives to a file. It may be anything, so only a safe name is taken.
struct ServerFileName {
    /// The name: that in `Content-Disposition` (RFC 6266), or else that of the URL after redirects; `nil` for none.
    let text: String?

    init(of response: HTTPURLResponse) {
        let field = response.value(forHTTPHeaderField: "Content-Disposition")
        let named = field.flatMap { Self.name(in: $0) }.flatMap { Self.safe($0) }
        text = named ?? response.url.flatMap { FileNames.name(of: $0) }.flatMap { Self.safe($0) }
    }

    /// The name in `Content-Disposition`: that of `filename*`, or else that of `filename` (RFC 6266, section 4.3).
    static func name(in field: String) -> String? {
        let parameters = field.parts(at: ";").dropFirst().map { part in
            let name = part.prefix { $0 != "=" }
            let value = part.dropFirst(name.count + 1)
            return (name: name.trimmingCharacters(in: .whitespaces).lowercased(), value: String(value).unquoted)
        }
        let extended = parameters.lazy.filter { $0.name == "filename*" }.compactMap { decoded($0.value) }.first
        return extended ?? parameters.first { $0.name == "filename" }?.value
    }

    /// The last part of a path, of at most 200 bytes, without control characters, and without dots before it: a hidden
    /// file could be one that a program reads. `nil` if nothing is left, or the name is that of a partial file.
    static func safe(_ name: String) -> String? {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let trimmed = last.drop { $0 == "." || $0.isWhitespace }.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.utf8.count <= 200, !trimmed.lowercased().contains(/\.partial(-info)?$/) else { return nil }
        return FileNames.safe(trimmed)
    }

    /// The text of an extended value, such as `UTF-8'en'%e2%82%ac` (RFC 8187, section 3.2); `nil` if it is malformed.
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return parts[2].removingPercentEncoding
        case "iso-8859-1":
            // Each escape is one byte, which is its own code point.
            var text = parts[2].unicodeScalars[...]
            var decoded = String.UnicodeScalarView()
            while let scalar = text.popFirst() {
                guard scalar == "%" else {
                    decoded.append(scalar)
                    continue
                }
                guard let byte = UInt8(String(text.prefix(2)), radix: 16), text.count >= 2 else { return nil }
                decoded.append(Unicode.Scalar(byte))
                text = text.dropFirst(2)
            }
            return String(decoded)
        default: return nil
        }
    }
}

extension String {
    /// The text without quotes and escapes, if it is a quoted string.
    fileprivate var unquoted: String {
        let text = trimmingCharacters(in: .whitespaces)
        return text.withBytes { $0.quotedString(at: 0)?.text } ?? text
    }
}
