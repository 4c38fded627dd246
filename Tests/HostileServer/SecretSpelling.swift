import Foundation

/// A way in which a server may write a secret that it repeats.
package struct SecretSpelling: Sendable, CustomStringConvertible {
    package let description: String
    /// Whether only a part of the secret is written.
    package let isPart: Bool
    private let write: @Sendable (String) -> String

    private init(_ description: String, isPart: Bool = false, write: @escaping @Sendable (String) -> String) {
        (self.description, self.isPart, self.write) = (description, isPart, write)
    }

    /// The bytes, each in two hexadecimal digits.
    private static func hex(_ text: String, _ prefix: String = "", upper: Bool = true) -> String {
        text.utf8.map { prefix + String(format: upper ? "%02X" : "%02x", $0) }.joined()
    }

    private static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The text in lines.
    private static func wrapped(_ text: String, _ lineBreak: String, each length: Int = 9) -> String {
        let characters = Array(text)
        return stride(from: 0, to: characters.count, by: length).map { start in
            String(characters[start..<min(start + length, characters.count)])
        }
        .joined(separator: lineBreak)
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Each character but letters and digits by its name in `names`, or by its number.
    private static func escaped(_ text: String, by escape: (Unicode.Scalar) -> String?) -> String {
        text.unicodeScalars.map { escape($0) ?? String($0) }.joined()
    }

    private static let names: [Unicode.Scalar: String] = [
        "+": "plus", "/": "sol", "=": "equals", "&": "amp", " ": "nbsp", "%": "percnt", "<": "lt", "\"": "quot",
        "'": "apos", ":": "colon",
    ]

    package static let all: [SecretSpelling] = [
        SecretSpelling("plain") { $0 },
        SecretSpelling("percent, upper case") { percent($0) },
        SecretSpelling("percent, lower case") { text in
            escaped(text) { CharacterSet.alphanumerics.contains($0) ? nil : hex(String($0), "%", upper: false) }
        },
        SecretSpelling("percent, every byte") { hex($0, "%") },
        SecretSpelling("percent, in part") { $0.replacing("/", with: "%2F") },
        SecretSpelling("percent, twice") { percent(percent($0)) },
        SecretSpelling("form") { percent($0).replacing("%20", with: "+") },
        SecretSpelling("base64") { base64($0) },
        SecretSpelling("base64 of more, 1") { base64("x" + $0 + "yz") },
        SecretSpelling("base64 of more, 2") { base64("xy" + $0 + "z") },
        SecretSpelling("Basic") { "Basic " + base64("cid:" + $0) },
        SecretSpelling("Basic of a form") {
            "Basic " + base64("cid:" + percent($0).replacing("%20", with: "+"))
        },
        SecretSpelling("base64url") {
            base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        },
        SecretSpelling("base64url, padded") {
            base64($0).replacing("+", with: "-").replacing("/", with: "_")
        },
        SecretSpelling("hexadecimal, upper case") { hex($0) },
        SecretSpelling("hexadecimal, lower case") { hex($0, upper: false) },
        SecretSpelling("HTML, by names") { text in escaped(text) { names[$0].map { "&\($0);" } } },
        SecretSpelling("HTML, by numbers") { text in
            escaped(text) { names[$0] == nil ? nil : "&#\($0.value);" }
        },
        SecretSpelling("HTML, by hexadecimal numbers") { text in
            escaped(text) { "&#x\(String($0.value, radix: 16));" }
        },
        SecretSpelling("JSON") { text in
            escaped(text) { $0 == "/" ? "\\/" : $0 == "\"" ? "\\\"" : nil }
        },
        SecretSpelling("JSON, by numbers") { text in
            escaped(text) { names[$0] == nil ? nil : String(format: "\\u%04x", $0.value) }
        },
        SecretSpelling("JavaScript") { text in
            escaped(text) { names[$0] == nil ? nil : String(format: "\\x%02x", $0.value) }
        },
        SecretSpelling("plain, wrapped") { wrapped($0, "\n") },
        SecretSpelling("plain, wrapped and indented") { wrapped($0, "\r\n\t  ") },
        SecretSpelling("form, wrapped") { wrapped(percent($0).replacing("%20", with: "+"), "\n") },
        SecretSpelling("base64, wrapped") { wrapped(base64($0), "\n") },
        SecretSpelling("base64 of more, wrapped") { wrapped(base64("xy\($0)z"), "\r\n") },
        SecretSpelling("hexadecimal, wrapped") { wrapped(hex($0), "\n") },
        SecretSpelling("percent, with escaped line breaks") { percent(wrapped($0, "\r\n")) },
        SecretSpelling("JSON, with escaped line breaks") { wrapped($0.quotedForJSON, "\\n") },
        SecretSpelling("JSON twice, with escaped line breaks") {
            wrapped(base64($0), "\n").quotedForJSON.quotedForJSON
        },
        SecretSpelling("HTML, with escaped line breaks") { wrapped(base64($0), "&#13;&#10;") },
        SecretSpelling("hexadecimal with colons") { hex($0, ":") },
        SecretSpelling("hexadecimal with blanks") { hex($0, " ", upper: false) },
        SecretSpelling("hexadecimal with blanks, wrapped") { wrapped(hex($0, " "), "\n") },
        SecretSpelling("hexadecimal in groups") { wrapped(hex($0, upper: false), " ", each: 8) },
        SecretSpelling("hexadecimal with hyphens") { hex($0, "-") },
        SecretSpelling("hexadecimal of a program") { hex($0, ", 0x", upper: false) },
        SecretSpelling("lower case") { $0.lowercased() },
        SecretSpelling("upper case") { $0.uppercased() },
        SecretSpelling("the first half", isPart: true) { String($0.prefix($0.count / 2)) },
    ]

    /// Those that write the secret as a whole.
    package static let whole = all.filter { !$0.isPart }

    /// A secret with bytes that each of them escapes.
    package static let secret = "S3cr+t/Val=ue&x y%<q\"'9z:t0p"

    /// The secret in this spelling.
    package var text: String { write(Self.secret) }

    /// Whether a text has eight characters of the secret in this spelling in a row. If only a part of the secret is
    /// written and `inPieces` is false, whether it has the whole secret.
    package func isIn(_ shown: String, inPieces: Bool = false) -> Bool {
        guard inPieces || !isPart else { return shown.contains(Self.secret) }
        let characters = Array(text.replacing("Basic ", with: ""))
        return (0...(characters.count - 8)).contains { shown.contains(String(characters[$0..<($0 + 8)])) }
    }
}

extension String {
    /// The text as a string in JSON.
    package var quotedForJSON: String {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The text without what a header cannot carry.
    package var forHeader: String { filter { $0.isASCII && !$0.isNewline } }
}
