import Foundation
import OpenAPIDocument

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
        let properties = named.map { name, fields -> (String, JSON) in
            let isFile = fields.contains(where: \.field.isFile)
            let one: JSON = ["type": "string", "format": isFile ? "binary" : nil]
            let isList = Set(fields.map(\.form)).count < fields.count
            return (name, isList ? ["type": "array", "items": one] : one)
        }
        let required = named.filter { Set($0.elements.map(\.form)).count == forms.count }.map { JSON.string($0.key) }
        return [
            "type": "object", "required": JSON.array(required).unlessEmpty, "properties": .members(properties),
        ]
    }

    private static func parameter(_ name: String, _ place: JSON, isRequired: Bool, _ type: JSON = "string") -> JSON {
        ["name": .string(name), "in": place, "required": isRequired ? .bool(true) : nil, "schema": ["type": type]]
    }

    private static func type(of values: [String]) -> JSON {
        if values.allSatisfy({ $0.wholeMatch(of: /-?\d{1,18}/) != nil }) { return "integer" }
        return values.allSatisfy { ["true", "false"].contains($0) } ? "boolean" : "string"
    }
}

/// The credentials of recorded calls: what kind they are, never what they are.
enum DraftSecurity {
    /// The security schemes by their names.
    static func schemes(of calls: [HARFile.Call]) -> JSON {
        func key(_ name: String, in place: JSON) -> (String, JSON) {
            (Identifier.member(name), ["type": "apiKey", "in": place, "name": .string(name)])
        }
        let headers = calls.flatMap(\.headers).compactMap { name, value -> (String, JSON)? in
            if name.lowercased() == "authorization" {
                let kind = value.lowercased().hasPrefix("basic") ? "basic" : "bearer"
                return (kind, ["type": "http", "scheme": .string(kind)])
            }
            return name.lowercased().hasPrefix("x-") && isSecret(name) ? key(name, in: "header") : nil
        }
        let items = calls.flatMap { $0.url.queryItems ?? [] }.map(\.name).filter(isSecret)
        return .members(headers + items.map { key($0, in: "query") })
    }

    /// Whether a header or a query item holds a secret, by its name.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        let words = ["token", "secret", "key", "passw", "auth", "session", "signature", "cookie", "csrf"]
        return words.contains { name.contains($0) } || ["sid", "sig", "code"].contains(name)
    }
}
