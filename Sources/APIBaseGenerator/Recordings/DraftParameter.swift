import Foundation

/// The parameters of a draft.
enum DraftParameter {
    static func path(_ name: String) -> JSON { parameter(name, "path", isRequired: true, .string("string")) }

    /// Query items, and headers that are neither usual nor secret.
    static func others(_ calls: [HARFile.Call]) -> [JSON] {
        var names: [String] = []
        for name in calls.flatMap(\.queryItems).map(\.name) where !names.contains(name) && !DraftSecurity.isSecret(name) {
            names.append(name)
        }
        let queries = names.map { name in
            let values = calls.map { call in call.queryItems.filter { $0.name == name }.map { $0.value ?? "" } }
            let type = JSON.string(Self.type(of: values.flatMap(\.self)))
            return parameter(name, "query", isRequired: values.allSatisfy { !$0.isEmpty }, type)
        }
        var headers: [String] = []
        for name in calls.flatMap(\.requestHeaders).map({ $0.name.lowercased() })
        where name.hasPrefix("x-") && !headers.contains(name) && !DraftSecurity.isSecret(name) { headers.append(name) }
        return queries + headers.map { parameter($0, "header", isRequired: false, .string("string")) }
    }

    /// The schema of a form by its fields.
    static func form(_ calls: [HARFile.Call]) -> JSON {
        var names: [String] = []
        for field in calls.flatMap({ ($0.requestText ?? "").split(separator: "&") }) {
            let name = field.prefix { $0 != "=" }
            let plain = name.replacing("+", with: " ").removingPercentEncoding ?? String(name)
            if !names.contains(plain) { names.append(plain) }
        }
        let properties = names.map { ($0, JSON.members([("type", .string("string"))])) }
        return .members([("type", .string("object")), ("properties", .members(properties))])
    }

    private static func parameter(_ name: String, _ place: String, isRequired: Bool, _ type: JSON) -> JSON {
        .members(
            [("name", .string(name)), ("in", .string(place))] + (isRequired ? [("required", .bool(true))] : [])
                + [("schema", .members([("type", type)]))]
        )
    }

    private static func type(of values: [String]) -> String {
        if values.allSatisfy({ $0.wholeMatch(of: /-?\d{1,18}/) != nil }) { return "integer" }
        return values.allSatisfy { ["true", "false"].contains($0) } ? "boolean" : "string"
    }
}

/// The credentials of recorded calls: what kind they are, never what they are.
struct DraftSecurity {
    private var schemes: [(name: String, scheme: JSON)] = []

    init(_ calls: [HARFile.Call]) {
        for (name, value) in calls.flatMap(\.requestHeaders) {
            if name.lowercased() == "authorization" {
                let kind = value.lowercased().hasPrefix("basic") ? "basic" : "bearer"
                add(kind, [("type", "http"), ("scheme", kind)])
            } else if name.lowercased().hasPrefix("x-"), Self.isSecret(name) {
                add(Identifier.member(name), [("type", "apiKey"), ("in", "header"), ("name", name)])
            }
        }
        for name in calls.flatMap(\.queryItems).map(\.name) where Self.isSecret(name) {
            add(Identifier.member(name), [("type", "apiKey"), ("in", "query"), ("name", name)])
        }
    }

    private mutating func add(_ name: String, _ members: [(String, String)]) {
        guard !schemes.contains(where: { $0.name == name }) else { return }
        schemes.append((name, .members(members.map { ($0.0, .string($0.1)) })))
    }

    var requirement: JSON? {
        schemes.isEmpty ? nil : .array([.members(schemes.map { ($0.name, .array([])) })])
    }

    var components: JSON? {
        schemes.isEmpty ? nil : .members([("securitySchemes", .members(schemes.map { ($0.name, $0.scheme) }))])
    }

    /// Whether a header or a query item holds a secret, by its name.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        let words = ["token", "secret", "key", "password", "passwd", "auth", "session", "signature", "cookie", "csrf"]
        return words.contains { name.contains($0) } || name == "sid" || name == "sig" || name == "code"
    }
}
