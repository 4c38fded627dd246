import Foundation

/// Makes a value of a schema, the same each time: with what the document shows of it, and all its members.
struct SampleMaker {
    let root: Node
    let schemas: Schemas
    /// Members that are only written are left out of a reply, and those that are only read out of a request.
    let direction: Direction
    /// The rest of the parts that the value may have.
    private var room = 2_000

    init(_ root: Node, _ schemas: Schemas, direction: Direction) {
        (self.root, self.schemas, self.direction) = (root, schemas, direction)
    }

    private func fits(_ value: JSON, _ schema: Node) -> Bool {
        schemas.findings(in: value, schema: schema, direction: direction).isEmpty
    }

    /// - Parameters:
    ///   - schema: The schema.
    ///   - open: The pointers of the schemas around it.
    ///   - required: The members that the schema around it requires, of which it is a part.
    /// - Returns: The value, which need not fit a schema that contradicts itself or has a rare pattern.
    mutating func value(of schema: Node, open: [String] = [], required: Set<String> = []) -> JSON {
        room -= 1
        guard room > 0, let schema = schema.resolved(in: root), open.count < 60 else { return .null }
        if let shown = schema.shownValues.first(where: { fits($0, schema) }) { return shown }
        let open = open + [schema.pointer]
        let choices = (schema["oneOf"] ?? schema["anyOf"])?.elements.filter { $0.text("type") != "null" } ?? []
        let parts = schema["allOf"]?.elements ?? []
        if !choices.isEmpty || !parts.isEmpty {
            let all = ([schema] + parts).map(\.requiredNames).reduce(required) { $0.union($1) }
            let own = parts.map { value(of: $0, open: open, required: all) } + [members(of: schema, open, all)]
            if choices.isEmpty { return merged(own, schema) }
            var made: [JSON] = []
            for choice in choices.prefix(8) {
                made.append(merged([chosen(choice, of: schema, open)] + own, schema))
                if fits(made[made.count - 1], schema) { return made[made.count - 1] }
            }
            return made[0]
        }
        switch schema.sampleType {
        case "object": return members(of: schema, open, required)
        case "array": return .array(elements(of: schema, open))
        case "integer", "number":
            let numbers = schema.sampleNumbers
            return numbers.first { fits($0, schema) } ?? numbers[0]
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
        let key = mapping.first { $0.value.string == reference || $0.value.string == own }?.name
        members[name] = .string(key ?? own)
        let named = JSON.object(members)
        // Some documents have a constant there that is another name.
        return key == nil && !fits(named, choice) ? value : named
    }

    private mutating func members(of schema: Node, _ open: [String], _ required: Set<String> = []) -> JSON {
        let required = required.union(schema.requiredNames)
        var members = JSON.Members()
        for (name, node) in schema["properties"]?.members ?? [] {
            let target = node.resolved(in: root)
            if target?.flag(direction == .reply ? "writeOnly" : "readOnly") ?? false { continue }
            // A value of its own kind within it ends somewhere, and large objects stay readable.
            let isRepeated = target.map { open.contains($0.pointer) } ?? false
            if !required.contains(name), isRepeated || open.count > 6 { continue }
            members[name] = value(of: node, open: open)
        }
        if let least = schema.json["minProperties"]?.integer, let other = schema["additionalProperties"] {
            for number in members.names.count..<max(members.names.count, min(least, 20)) {
                members["name\(number)"] = value(of: other, open: open)
            }
        }
        return .object(members)
    }

    private mutating func elements(of schema: Node, _ open: [String]) -> [JSON] {
        let least = schema.json["minItems"]?.integer ?? 0
        guard let items = schema["items"], let target = items.resolved(in: root) else { return [] }
        guard !open.contains(target.pointer) || least > 0 else { return [] }
        let element = value(of: items, open: open)
        let size = element.count
        let count = min(max(least, 1), 20, max(room / size, 1))
        room -= (count - 1) * size
        return (0..<count).map { schema.flag("uniqueItems") ? element.another($0) : element }
    }

    /// The members of all values in one, or one of the values: what fits.
    private func merged(_ values: [JSON], _ schema: Node) -> JSON {
        let pairs = values.flatMap { $0.pairs.map { ($0.name, $0.value) } }
        // Of parts with the same member, the last says most, or only describes it.
        let members = [JSON.members(pairs), .members(pairs.reversed())]
        let others = values.filter { $0.object == nil }
        let all = pairs.isEmpty ? others + members : members + others
        return all.first { fits($0, schema) } ?? all[0]
    }
}

extension Node {
    /// The examples beside a schema: of a parameter, a header or a body.
    func examples(in root: Node) -> [JSON] {
        let named = (self["examples"]?.members ?? []).map { $0.node.resolved(in: root)?.json["value"] }
        return ([json["example"]] + named).compactMap(\.self)
    }

    /// The values that a schema shows of itself.
    var shownValues: [JSON] {
        let shown = [json["example"], json["examples"]?.array?.first, json["const"], json["default"]].compactMap(\.self)
        return (shown + (json["enum"]?.array ?? [])).filter { $0 != .null }
    }

    fileprivate var requiredNames: Set<String> { Set((json["required"]?.array ?? []).compactMap(\.string)) }

    fileprivate var sampleType: String {
        let types = json["type"]?.string.map { [$0] } ?? (json["type"]?.array ?? []).compactMap(\.string)
        if let type = types.first(where: { $0 != "null" }) ?? types.first { return type }
        return json["properties"] ?? json["required"] != nil ? "object" : json["items"] != nil ? "array" : "string"
    }

    /// Numbers near the limits and between them.
    fileprivate var sampleNumbers: [JSON] {
        func number(_ name: String) -> Double? { json[name]?.number }
        let step = number("multipleOf") ?? 1
        let least = number("exclusiveMinimum") ?? number("minimum") ?? 0
        let most = number("exclusiveMaximum") ?? number("maximum") ?? least + 2 * step
        let (first, last) = ((least / step).rounded(.up) * step, (most / step).rounded(.down) * step)
        let all = [1, step, first, first + step, last, last - step, least, most, (least + most) / 2]
        return all.filter(\.isFinite).map { .number(Int(exactly: $0).map { "\($0)" } ?? "\($0)") }
    }

    /// Texts for patterns such as `^[A-Z]{3}$`: one character, up to 64 times.
    private static let repeated = (1...64).flatMap { count in
        ["A", "a", "1"].map { String(repeating: $0, count: count) }
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
            "#abc123", "+12025550123", "1.2.3", "ABC-1234",
        ]
        // The text with which patterns such as `^user_[a-z]+$` begin.
        let start = (text("pattern") ?? "").dropFirst().prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }
        let text = self.text("pattern").flatMap(Pattern.init).flatMap { pattern in
            (texts + texts.map { start + $0 } + Self.repeated).first { pattern.matches($0).result == true }
        }
        let least = max(json["minLength"]?.integer ?? 0, 0)
        let most = json["maxLength"]?.integer ?? .max
        let known = text ?? texts[0]
        let padded = known + String(repeating: known.last ?? "t", count: max(0, min(least, 10_000) - known.count))
        return String(padded.prefix(max(most, 0)))
    }
}

extension JSON {
    fileprivate var number: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }

    /// The number of values in it, with itself.
    fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }

    /// The value, or another one with a number added to it.
    fileprivate func another(_ number: Int) -> JSON {
        switch self {
        case .string(let text) where number > 0: .string("\(text)\(number)")
        case .number(let digits) where number > 0: .number(Int(digits).map { "\($0 &+ number)" } ?? digits)
        default: self
        }
    }
}
