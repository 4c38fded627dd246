import Foundation

/// A field of a recorded form: its name, and whether it is a file, never what was sent.
struct FormField: Hashable {
    let name: String
    var isFile = false

    /// The fields of a body, by its text, or where a browser has none, by the list beside it.
    static func all(in body: JSON, text: String) -> [FormField] {
        let type = body["mimeType"]?.string ?? ""
        let fields =
            switch MediaType(type).text {
            case "application/x-www-form-urlencoded": encoded(text)
            case "multipart/form-data": parts(of: text, boundary: boundary(of: type, text))
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

    /// The text between the parts: that of the content type, or of the first line.
    private static func boundary(of type: String, _ text: String) -> String {
        if let match = type.firstMatch(of: /(?i);\s*boundary=(?:"([^"]+)"|([^;\s]+))/) {
            return String(match.1 ?? match.2 ?? "")
        }
        return String(text.prefix { !$0.isNewline }.trimmingPrefix("--"))
    }

    /// The fields by the heads of the parts. What follows a head, which may be missing, is not read.
    private static func parts(of text: String, boundary: String) -> [FormField] {
        guard !boundary.isEmpty else { return [] }
        return text.components(separatedBy: "--\(boundary)").dropFirst().compactMap { part in
            let lines = part.prefix(4_000).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let head = lines.dropFirst().prefix { !$0.isEmpty }
            guard let line = head.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
                let match = line.firstMatch(of: /(?i);\s*name=(?:"([^"]*)"|([^;\s]+))/)
            else { return nil }
            let name = String(match.1 ?? match.2 ?? "").replacing("%22", with: "\"")
            return FormField(name: name, isFile: line[match.range.upperBound...].contains(/(?i);\s*filename\*?=/))
        }
    }
}
