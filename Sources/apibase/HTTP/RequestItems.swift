import APIBaseKit

/// All items of a command line.
struct RequestItems: Equatable {
    let items: [RequestItem]
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

    /// The headers, in their order; `nil` for one that is not to be sent.
    func headers() throws -> [(name: String, value: String?)] {
        try items.compactMap { item in
            switch item.separator {
            case .header where item.value.isEmpty: (item.name, nil)
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

    /// The text, if it is JSON.
    static func json(_ text: String, of item: RequestItem) throws(UsageError) -> String {
        guard JSONText(text) != nil else {
            // The value may be a secret.
            throw .badValue(option: "ITEM", value: "\(item.name):=…", expected: "JSON behind :=, such as 1 or [1, 2]")
        }
        return text
    }
}

extension RequestItem {
    var isField: Bool {
        switch separator {
        case .text, .json, .file, .textFromFile, .jsonFromFile: true
        case .header, .emptyHeader, .query, .headerFromFile, .queryFromFile: false
        }
    }

    var textOfFile: String {
        get throws(UsageError) {
            if let text = try? String(contentsOf: URL(fileURLWithPath: value), encoding: .utf8) { return text }
            throw .unavailable("\(name)\(separator.rawValue)", reason: "\(value) is no readable text")
        }
    }
}
