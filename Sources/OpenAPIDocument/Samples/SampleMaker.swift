import Foundation

/// Makes a value of a schema, the same each time: with what the document shows of it, and all its members.
struct SampleMaker {
    let root: Node
    /// Members that are only written are left out of a reply, and those that are only read out of a request.
    let direction: Direction
    /// The rest of the parts that the value may have.
    private var room = 2_000

    init(_ root: Node, direction: Direction) { (self.root, self.direction) = (root, direction) }

    mutating func value(of schema: Node, open: [String] = []) -> JSON {
        room -= 1
        guard room > 0, let schema = schema.resolved(in: root), open.count < 60 else { return .null }
        if let shown = schema.shownValue { return shown }
        let open = open + [schema.pointer]
        if let choice = (schema["oneOf"] ?? schema["anyOf"])?.elements.first(where: { $0.text("type") != "null" }) {
            return merged([chosen(choice, of: schema, open), members(of: schema, open)])
        }
        let parts = schema["allOf"]?.elements ?? []
        if !parts.isEmpty {
            return merged(parts.map { value(of: $0, open: open) } + [members(of: schema, open)])
        }
        switch schema.sampleType {
        case "object": return members(of: schema, open)
        case "array": return .array(elements(of: schema, open))
        case "integer", "number": return .number(schema.sampleNumber)
        case "boolean": return .bool(true)
        case "null": return .null
        default: return .string(schema.sampleText)
        }
    }

    /// A variant with the member that tells it from the others.
    private mutating func chosen(_ choice: Node, of schema: Node, _ open: [String]) -> JSON {
        let value = value(of: choice, open: open)
        guard case .object(var members) = value, let name = schema["discriminator"]?.text("propertyName"),
            let reference = choice.text("$ref")
        else { return value }
        let mapping = schema["discriminator"]?["mapping"]?.json.pairs ?? []
        let own = String(reference.split(separator: "/").last ?? "").unescapedFromPointer
        let key = mapping.first { $0.value.string == reference || $0.value.string == own }?.name ?? own
        members[name] = .string(key)
        return .object(members)
    }

    private mutating func members(of schema: Node, _ open: [String]) -> JSON {
        let required = Set((schema["required"]?.json.array ?? []).compactMap(\.string))
        var members = JSON.Members()
        for (name, node) in schema["properties"]?.members ?? [] {
            let target = node.resolved(in: root)
            if target?.flag(direction == .reply ? "writeOnly" : "readOnly") ?? false { continue }
            // A value of its own kind within it ends somewhere, and large objects stay readable.
            let isRepeated = target.map { open.contains($0.pointer) } ?? false
            if !required.contains(name), isRepeated || open.count > 6 { continue }
            members[name] = value(of: node, open: open)
        }
        return .object(members)
    }

    private mutating func elements(of schema: Node, _ open: [String]) -> [JSON] {
        let least = schema.json["minItems"]?.integer ?? 0
        guard let items = schema["items"], let target = items.resolved(in: root) else { return [] }
        guard !open.contains(target.pointer) || least > 0 else { return [] }
        return (0..<min(max(least, 1), 20)).map { _ in value(of: items, open: open) }
    }

    private func merged(_ values: [JSON]) -> JSON {
        let objects = values.compactMap(\.object)
        guard objects.count == values.count else {
            return values.first { $0.object?.names.isEmpty != true } ?? .members([])
        }
        return .members(values.flatMap { $0.pairs.map { ($0.name, $0.value) } })
    }
}

extension Node {
    /// The value that a schema shows of itself.
    fileprivate var shownValue: JSON? {
        let shown = [json["example"], json["examples"]?.array?.first, json["const"], json["default"]]
        return shown.compactMap { $0 }.first { $0 != .null } ?? json["enum"]?.array?.first { $0 != .null }
    }

    fileprivate var sampleType: String {
        let types = json["type"]?.string.map { [$0] } ?? (json["type"]?.array ?? []).compactMap(\.string)
        if let type = types.first(where: { $0 != "null" }) ?? types.first { return type }
        return json["properties"] ?? json["required"] != nil ? "object" : json["items"] != nil ? "array" : "string"
    }

    fileprivate var sampleNumber: String {
        func number(_ name: String) -> Double? { json[name]?.number }
        let step = number("multipleOf") ?? 1
        let least =
            number("exclusiveMinimum").map { $0 + step }
            ?? number("minimum").map { flag("exclusiveMinimum") ? $0 + step : $0 }
        let most =
            number("exclusiveMaximum").map { $0 - step }
            ?? number("maximum").map { flag("exclusiveMaximum") ? $0 - step : $0 }
        var value = max(1, least ?? 1)
        if let most, value > most { value = most }
        if json["multipleOf"] != nil { value = (value / step).rounded(value == most ? .down : .up) * step }
        return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    fileprivate var sampleText: String {
        switch text("format") {
        case "date-time": return "2026-01-02T03:04:05Z"
        case "date": return "2026-01-02"
        case "time": return "03:04:05Z"
        case "uuid": return "01234567-89ab-4cde-8f01-23456789abcd"
        case "email": return "name@example.com"
        case "uri", "url": return "https://example.com/"
        case "ipv4": return "192.0.2.1"
        case "ipv6": return "2001:db8::1"
        case "byte": return "aGVsbG8="
        default: break
        }
        let texts = [
            "text", "TEXT", "1", "123", "abc-123", "a", "A", "ab", "AB", "2026-01-02", "https://example.com/",
            "#abc123",
        ]
        let text = self.text("pattern").flatMap { pattern in texts.first { $0.contains(pattern: pattern) } } ?? texts[0]
        let least = json["minLength"]?.integer ?? 0
        let most = json["maxLength"]?.integer ?? .max
        let padded = text + String(repeating: text.last ?? "t", count: max(0, min(least, 10_000) - text.count))
        return String(padded.prefix(max(most, 0)))
    }
}

extension JSON {
    fileprivate var number: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }
}

extension String {
    fileprivate func contains(pattern: String) -> Bool { range(of: pattern, options: .regularExpression) != nil }
}
