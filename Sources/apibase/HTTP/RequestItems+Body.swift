import APIBaseKit

extension RequestItems {
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
                    let content = try HTTPBody.readable(file, named: parts[0], type: type, as: "\(field.name)@")
                    return MultipartPart(name: field.name, content: content)
                case .textFromFile: return MultipartPart(name: field.name, value: try field.textOfFile)
                default: return MultipartPart(name: field.name, value: field.value)
                }
            }
        )
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
