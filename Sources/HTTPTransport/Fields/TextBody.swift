import Basics
package import Foundation

/// The text of a body (RFC 9110, section 8.3.2), in the charset that its `Content-Type` names.
package enum TextBody {
    /// The body is no text in its charset.
    package struct Undecodable: Error {
        /// The text that was expected, such as `text in utf-8`.
        package let expected: String
        /// The charset as the server has written it, if it is not known.
        package private(set) var charset: String?
    }

    /// The text of a body with this `Content-Type`. A byte order mark is not part of it. Without a charset, the text is
    /// in UTF-16 if it begins with its byte order mark, else in UTF-8.
    package static func text(of data: Data, type: String) throws(Undecodable) -> String {
        let isMarked = [[0xFE, 0xFF], [0xFF, 0xFE]].contains(Array(data.prefix(2)))
        let name = charset(of: type) ?? (isMarked ? "utf-16" : "utf-8")
        guard let charset = Charset(named: name) else {
            throw Undecodable(expected: "text in a known charset", charset: name)
        }
        guard let text = charset.text(of: data) else {
            throw Undecodable(expected: "text in \(name.lowercased())")
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// The first parameter `charset`, without quotes; `nil` if there is none, or it is empty. Of a field that has come
    /// twice, the first with parameters counts. A blank or a comma may stand in place of its semicolon.
    private static func charset(of type: String) -> String? {
        for parameter in type.parts(at: ",").flatMap({ $0.parts(at: ";") }) {
            let scalars = parameter.unicodeScalars
            let isType = scalars.prefix { $0 != " " && $0 != "\t" && $0 != "=" }.contains("/")
            let parts = scalars.drop { isType && $0 != " " && $0 != "\t" }.split(separator: "=", maxSplits: 1).map {
                String($0).trimmingCharacters(in: CharacterSet(charactersIn: "\"' \t"))
            }
            guard parts.count == 2, parts[0].equalsIgnoringCase("charset") else { continue }
            let name = parts[1].prefix { $0 != " " && $0 != "\t" }
            return name.isEmpty ? nil : String(name)
        }
        return nil
    }
}
