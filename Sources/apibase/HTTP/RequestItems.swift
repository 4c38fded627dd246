import APIBaseKit

/// All items of a command line.
struct RequestItems: Equatable {
    private let items: [RequestItem]
    /// Whether the fields are those of a form, and not of JSON.
    let isForm: Bool

    init(_ texts: [String], isForm: Bool) throws(UsageError) {
        var items: [RequestItem] = []
        for text in texts { items.append(try RequestItem(text)) }
        self.items = items
        self.isForm = isForm
        for item in items {
            switch item.separator {
            case .file where !isForm: throw .needs("\(item.name)@…", "--form")
            case .json where isForm, .jsonFromFile where isForm: throw .notTogether("\(item.name):=…", "--form")
            case .json: _ = try Self.json(item.value, of: item)
            default: break
            }
        }
    }

    /// The first item that belongs into a body.
    var firstField: RequestItem? { items.first(where: \.isField) }

    /// The headers, in their order.
    func headers() throws -> [(name: String, value: String)] {
        try items.compactMap { item in
            switch item.separator {
            case .header: (item.name, String(item.value.drop(while: \.isWhitespace)))
            case .emptyHeader: (item.name, "")
            case .headerFromFile: (item.name, try item.textOfFile.trimmedEnd)
            default: nil
            }
        }
    }

    /// The items of the query, in their order.
    func query() throws -> [URLQueryItem] {
        try items.compactMap { item in
            switch item.separator {
            case .query: URLQueryItem(name: item.name, value: item.value)
            case .queryFromFile: URLQueryItem(name: item.name, value: try item.textOfFile.trimmedEnd)
            default: nil
            }
        }
    }

    /// The body of the fields; `nil` if there are none.
    func body() throws -> HTTPBody? {
        let fields = items.filter(\.isField)
        if isForm { return try form(fields) }
        guard !fields.isEmpty else { return nil }
        var members: [(name: String, json: String)] = []
        for field in fields {
            let json =
                switch field.separator {
                case .json: try Self.json(field.value, of: field)
                case .jsonFromFile: try Self.json(try field.textOfFile, of: field)
                case .textFromFile: try field.textOfFile.json
                default: try field.value.json
                }
            members.removeAll { $0.name == field.name }
            members.append((field.name, json))
        }
        let text = try members.map { "\(try $0.name.json):\($0.json)" }.joined(separator: ",")
        return .data(Data("{\(text)}".utf8), type: "application/json")
    }

    private func form(_ fields: [RequestItem]) throws -> HTTPBody {
        guard fields.contains(where: { $0.separator == .file }) else {
            return .form(try fields.map { ($0.name, $0.separator == .textFromFile ? try $0.textOfFile : $0.value) })
        }
        return .multipart(
            try fields.map { field in
                switch field.separator {
                case .file:
                    let parts = field.value.components(separatedBy: ";type=")
                    let file = URL(fileURLWithPath: parts[0])
                    let type = parts.count > 1 ? parts[1] : MediaType.of(file)
                    return MultipartPart(name: field.name, content: .file(file, type: type))
                case .textFromFile: return MultipartPart(name: field.name, value: try field.textOfFile)
                default: return MultipartPart(name: field.name, value: field.value)
                }
            }
        )
    }

    /// The text, if it is JSON.
    private static func json(_ text: String, of item: RequestItem) throws(UsageError) -> String {
        guard JSONText(text) != nil else {
            // The value may be a secret.
            throw .badValue(option: "ITEM", value: "\(item.name):=…", expected: "JSON behind :=, such as 1 or [1, 2]")
        }
        return text
    }
}

extension RequestItem {
    fileprivate var isField: Bool {
        switch separator {
        case .text, .json, .file, .textFromFile, .jsonFromFile: true
        case .header, .emptyHeader, .query, .headerFromFile, .queryFromFile: false
        }
    }

    fileprivate var textOfFile: String {
        get throws(UsageError) {
            if let text = try? String(contentsOf: URL(fileURLWithPath: value), encoding: .utf8) { return text }
            throw .unavailable("\(name)\(separator.rawValue)", reason: "\(value) is no readable text")
        }
    }
}

extension String {
    /// The text as a string of JSON.
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
