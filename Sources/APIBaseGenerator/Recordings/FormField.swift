import Foundation
import OpenAPIDocument

/// A field of a recorded form: its name, and whether it is a file, never what was sent.
struct FormField: Hashable {
    let name: String
    var isFile = false

    /// The fields of a body, by its text, or where a browser has none, by the list beside it.
    static func all(in body: JSON, text: String) -> [FormField] {
        let fields =
            switch MediaType(body["mimeType"]?.string ?? "").text {
            case "application/x-www-form-urlencoded": encoded(text)
            case "multipart/form-data": parts(of: text)
            default: [FormField]()
            }
        let listed = (body["params"]?.array ?? []).compactMap { field in
            field["name"]?.string.map { FormField(name: $0, isFile: field["fileName"]?.string?.isEmpty == false) }
        }
        return (fields.isEmpty ? listed : fields).filter { !$0.name.isEmpty }
    }

    private static func encoded(_ text: String) -> [FormField] {
        text.split(separator: "&").map { field in
            let name = String(field.prefix { $0 != "=" }).replacing("+", with: " ")
            return FormField(name: name.removingPercentEncoding ?? name)
        }
    }

    /// The fields by the first lines of the parts, each after a boundary. What follows them is not read.
    private static func parts(of text: String) -> [FormField] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return zip(lines, lines.dropFirst()).compactMap { boundary, head in
            guard boundary.hasPrefix("--"), head.lowercased().hasPrefix("content-disposition:"),
                let match = head.firstMatch(of: /(?i);\s*name=(?:"([^"]*)"|([^;\s]+))/)
            else { return nil }
            let name = String(match.1 ?? match.2 ?? "").replacing("%22", with: "\"")
            return FormField(name: name, isFile: head[match.range.upperBound...].contains(/(?i);\s*filename\*?=/))
        }
    }
}
