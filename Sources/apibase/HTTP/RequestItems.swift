import APIBaseKit

/// One item after the URL: a header, a query item or a field of the body, in the syntax of HTTPie.
struct RequestItem: Hashable {
    enum Separator: String, CaseIterable {
        case query = "=="
        case json = ":="
        case header = ":"
        case emptyHeader = ";"
        case text = "="
        case file = "@"
    }

    let name: String
    let separator: Separator
    let value: String
    /// Whether the value is the path of a file with the value: an `@` after the separator.
    let isFromFile: Bool

    /// Parses an item. The first separator counts, and the longest one at that place. After a backslash, a character of
    /// a separator is part of the name. Throws ``UsageError`` without a separator or a name.
    init(_ text: String) throws {
        // By scalars, because a combining mark after a separator would make another character of it.
        var rest = text.unicodeScalars[...]
        var name = String.UnicodeScalarView()
        while let scalar = rest.first {
            if scalar == "\\", let next = rest.dropFirst().first, Self.special.contains(next) {
                name.append(next)
                rest = rest.dropFirst(2)
            } else if let separator = Separator.allCases.first(where: { $0.starts(rest) }) {
                guard !name.isEmpty else { break }
                rest = rest.dropFirst(separator.rawValue.unicodeScalars.count)
                isFromFile = separator != .file && rest.first == "@"
                self.name = String(name)
                self.separator = separator
                value = String(isFromFile ? rest.dropFirst() : rest)
                return
            } else {
                name.append(scalar)
                rest = rest.dropFirst()
            }
        }
        throw UsageError.badValue("ITEM", text, Self.syntax)
    }

    private static let special = Set(":;=@\\".unicodeScalars)
    private static let syntax = "Name:value, name==value, name=value, name:=json or name@file"

    static let help = """
        Name:value    a header; Name; is an empty header, and Name: removes a default header
        name==value   a query item
        name=value    a string in the JSON body; with --form, a form field
        name:=json    any other JSON, such as a number, true or a list
        name@file     a file in a form, with --form; name@file;type=image/png sets its type
        :@ ==@ =@ :=@ the same with the value from a file: name=@text.txt, name:=@data.json
        A backslash before : ; = or @ makes it part of the name.
        """

    var isField: Bool { [.text, .json, .file].contains(separator) }

    var prefix: String { "\(name)\(separator.rawValue)" }

    fileprivate var content: String {
        get throws {
            guard isFromFile else { return value }
            if let text = try? String(contentsOf: URL(fileURLWithPath: value), encoding: .utf8) { return text }
            throw UsageError.unavailable("\(prefix)@", reason: "\(value) is not a readable text file")
        }
    }

    /// The value as a header field: without white space before it, and line breaks after it.
    fileprivate var headerValue: String {
        get throws { isFromFile ? try content.trimmedEnd : String(value.drop(while: \.isWhitespace)) }
    }
}

extension RequestItem.Separator {
    /// Whether the text starts with the separator. That of an empty header ends the item.
    fileprivate func starts(_ text: Substring.UnicodeScalarView) -> Bool {
        text.starts(with: rawValue.unicodeScalars) && (self != .emptyHeader || text.count == 1)
    }
}

struct RequestItems: Equatable {
    let items: [RequestItem]
    let isForm: Bool

    init(_ texts: [String], isForm: Bool) throws {
        items = try texts.map(RequestItem.init)
        self.isForm = isForm
        for item in items {
            switch item.separator {
            case .file where !isForm: throw UsageError.needs("\(item.prefix)…", "--form")
            case .json where isForm: throw UsageError.conflict("\(item.prefix)…", "--form")
            case .json where !item.isFromFile: try Self.checkJSON(item.value, of: item)
            default: break
            }
        }
    }

    var firstField: RequestItem? { items.first(where: \.isField) }

    /// The headers in order; the value is `nil` for a header that is not sent.
    func headers() throws -> [(name: String, value: String?)] {
        try items.filter { [.header, .emptyHeader].contains($0.separator) }.map { item in
            let isRemoved = item.separator == .header && !item.isFromFile && item.value.isEmpty
            return (item.name, isRemoved ? nil : try item.headerValue)
        }
    }

    func query() throws -> [URLQueryItem] {
        try items.filter { $0.separator == .query }.map { item in
            URLQueryItem(name: item.name, value: item.isFromFile ? try item.content.trimmedEnd : item.value)
        }
    }

    func body() throws -> HTTPBody? {
        let fields = items.filter(\.isField)
        if isForm { return try form(fields) }
        guard !fields.isEmpty else { return nil }
        var members: [(name: String, json: String)] = []
        for field in fields {
            let content = try field.content
            if field.separator == .json { try Self.checkJSON(content, of: field) }
            let json = field.separator == .json ? content : try Self.jsonString(content)
            members.removeAll { $0.name == field.name }
            members.append((field.name, json))
        }
        let text = try members.map { "\(try Self.jsonString($0.name)):\($0.json)" }.joined(separator: ",")
        return .data(Data("{\(text)}".utf8), type: "application/json")
    }

    private func form(_ fields: [RequestItem]) throws -> HTTPBody {
        guard fields.contains(where: { $0.separator == .file }) else {
            return .form(try fields.map { ($0.name, try $0.content) })
        }
        return .multipart(
            try fields.map { field in
                guard field.separator == .file else { return MultipartPart(name: field.name, value: try field.content) }
                let parts = field.value.components(separatedBy: ";type=")
                let type = parts.count > 1 ? parts[1] : nil
                let file = try HTTPBody.readable(at: parts[0], type: type, as: "\(field.name)@")
                return MultipartPart(name: field.name, content: file)
            }
        )
    }

    /// Refuses text that is not JSON. The error does not show the text, which may be a secret.
    private static func checkJSON(_ text: String, of item: RequestItem) throws {
        guard JSONText(text) == nil else { return }
        throw UsageError.badValue("ITEM", "\(item.prefix)…", "JSON, such as 1 or [1, 2]")
    }

    private static func jsonString(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }
}

extension HTTPBody {
    /// A file as a body. Its media type is `type`, or that of the file extension. `name` is for the error.
    static func readable(at path: String, type: String? = nil, as name: String) throws -> HTTPBody {
        let file = URL(fileURLWithPath: path)
        let body = HTTPBody.file(file, type: type ?? mediaTypes[file.pathExtension.lowercased()])
        guard body.problem == nil else { throw UsageError.unavailable(name, reason: "\(path) is not a readable file") }
        return body
    }

    private static let mediaTypes = [
        "json": "application/json", "xml": "application/xml", "pdf": "application/pdf", "zip": "application/zip",
        "gz": "application/gzip", "txt": "text/plain", "csv": "text/csv", "html": "text/html", "md": "text/markdown",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "svg": "image/svg+xml", "mp3": "audio/mpeg", "mp4": "video/mp4",
    ]
}
