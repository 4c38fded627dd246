import Foundation

/// The parameters of a draft.
enum DraftParameter {
    static func path(_ name: String) -> JSON { parameter(name, "path", isRequired: true) }

    /// Query items, and headers of its own.
    static func others(_ calls: [HARFile.Call], without common: Set<String>) -> [JSON] {
        // By its name, a parameter's items with the number of their call.
        let items = calls.enumerated().flatMap { call, element in (element.url.queryItems ?? []).map { (call, $0) } }
        let named = items.grouped { $0.1.name }.filter { !DraftSecurity.isSecret($0.key) }
        let queries = named.map { name, items in
            let isRequired = Set(items.map(\.0)).count == calls.count
            return parameter(name, "query", isRequired: isRequired, type(of: items.map { $0.1.value ?? "" }))
        }
        let headers = calls.flatMap(headers(of:)).unique().filter { !common.contains($0) }
        return queries + headers.map { parameter($0, "header", isRequired: false) }
    }

    /// The headers of a call that are neither usual nor secret, in lower case.
    static func headers(of call: HARFile.Call) -> [String] {
        call.headers.map { $0.name.lowercased() }.unique().filter { $0.hasPrefix("x-") && !DraftSecurity.isSecret($0) }
    }

    /// The schema that forms have in common; `nil` without fields. Names that are like values are left out.
    static func form(_ forms: [[FormField]]) -> JSON? {
        let forms = forms.map { $0.filter { !PlainWords.isValue($0.name) } }.filter { !$0.isEmpty }
        // By its name, a field with the number of its form.
        let named = forms.enumerated().flatMap { form, fields in fields.map { (form: form, field: $0) } }
            .grouped(by: \.field.name)
        guard !named.isEmpty else { return nil }
        let properties = named.map { name, fields in
            let isFile = fields.contains(where: \.field.isFile)
            let one = JSON.members([("type", .string("string"))] + (isFile ? [("format", .string("binary"))] : []))
            let isList = Set(fields.map(\.form)).count < fields.count
            return (name, isList ? .members([("type", .string("array")), ("items", one)]) : one)
        }
        let required = named.filter { Set($0.elements.map(\.form)).count == forms.count }.map { JSON.string($0.key) }
        return .members(
            [("type", .string("object"))] + (required.isEmpty ? [] : [("required", .array(required))])
                + [("properties", .members(properties))]
        )
    }

    private static func parameter(_ name: String, _ place: String, isRequired: Bool, _ type: String = "string") -> JSON
    {
        .members(
            [("name", .string(name)), ("in", .string(place))] + (isRequired ? [("required", .bool(true))] : [])
                + [("schema", .members([("type", .string(type))]))]
        )
    }

    private static func type(of values: [String]) -> String {
        if values.allSatisfy({ $0.wholeMatch(of: /-?\d{1,18}/) != nil }) { return "integer" }
        return values.allSatisfy { ["true", "false"].contains($0) } ? "boolean" : "string"
    }
}

/// The credentials of recorded calls: what kind they are, never what they are.
struct DraftSecurity {
    private let schemes: [(name: String, scheme: JSON)]

    init(_ calls: [HARFile.Call]) {
        let headers = calls.flatMap(\.headers).compactMap { name, value -> [String]? in
            if name.lowercased() == "authorization" {
                let kind = value.lowercased().hasPrefix("basic") ? "basic" : "bearer"
                return [kind, "type", "http", "scheme", kind]
            }
            let isKey = name.lowercased().hasPrefix("x-") && Self.isSecret(name)
            return isKey ? [Identifier.member(name), "type", "apiKey", "in", "header", "name", name] : nil
        }
        let items = calls.flatMap { $0.url.queryItems ?? [] }.map(\.name).filter(Self.isSecret)
        let queries = items.map { [Identifier.member($0), "type", "apiKey", "in", "query", "name", $0] }
        schemes = (headers + queries).unique().map { words in
            let pairs = stride(from: 1, to: words.count, by: 2).map { (words[$0], JSON.string(words[$0 + 1])) }
            return (words[0], .members(pairs))
        }
    }

    /// The member of the document that says that all calls need them.
    var requirement: [(String, JSON)] {
        schemes.isEmpty ? [] : [("security", .array([.members(schemes.map { ($0.name, .array([])) })]))]
    }

    /// The member of `components` with them.
    var components: [(String, JSON)] {
        schemes.isEmpty ? [] : [("securitySchemes", .members(schemes.map { ($0.name, $0.scheme) }))]
    }

    /// Whether a header or a query item holds a secret, by its name.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        let words = ["token", "secret", "key", "passw", "auth", "session", "signature", "cookie", "csrf"]
        return words.contains { name.contains($0) } || ["sid", "sig", "code"].contains(name)
    }
}
