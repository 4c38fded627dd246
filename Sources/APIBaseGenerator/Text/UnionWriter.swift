import OpenAPIDocument

/// Writes values of one of several types.
struct UnionWriter {
    let access: String

    func write(
        _ union: Union,
        _ declaration: Declaration,
        to text: inout SwiftText,
        nested: (Declaration, inout SwiftText) -> Void
    ) {
        let keyword = union.isIndirect ? "nonisolated indirect enum" : "nonisolated enum"
        let others = declaration.isQueryValue ? ", QueryValue" : ""
        let protocols = "\(declaration.isError ? "Error, " : "")Codable, Hashable, Sendable\(others)"
        text.block("\(access)\(keyword) \(declaration.name): \(protocols)") { text in
            for element in union.cases { text.line("case \(element.escapedName)(\(element.type.text))") }
            text.line("/// Anything else.")
            text.line("case other(JSONValue)")
            text.line("")
            text.block("\(access)init(from decoder: any Decoder) throws") { text in
                if let discriminator = union.discriminator {
                    writeSwitch(over: discriminator, union, to: &text)
                } else {
                    writeSearch(union.cases, to: &text)
                }
            }
            text.line("")
            writeEncoding(union, to: &text)
            if declaration.isQueryValue { writeQueryTexts(union, to: &text) }
            nested(declaration, &text)
        }
    }

    private func writeSwitch(over discriminator: [String], _ union: Union, to text: inout SwiftText) {
        let cases = union.cases.filter { !$0.tags.isEmpty }
        let isText = cases.flatMap(\.tags).allSatisfy { $0.string != nil }
        let key = discriminator.map(Literal.string).joined(separator: ", ")
        var known: Set<String> = []
        guard !cases.isEmpty else { return text.line("self = .other(try JSONValue(from: decoder))") }
        text.line("switch decoder.member(\(key), as: \(isText ? "String" : "Int").self) {")
        for element in cases {
            let labels = element.tags.compactMap { isText ? $0.string.map(Literal.string) : $0.integer.map { "\($0)" } }
                .filter { known.insert($0).inserted }
            guard !labels.isEmpty else { continue }
            let statement = "self = .\(element.escapedName)(\(reading(element.type)))"
            let line = "case \(labels.joined(separator: ", ")): \(statement)"
            guard line.count > text.room else {
                text.line(line)
                continue
            }
            text.line("case \(labels.joined(separator: ", ")):")
            text.indented { $0.line(statement) }
        }
        let others = union.cases.filter(\.tags.isEmpty)
        if others.isEmpty {
            text.line("default: self = .other(try JSONValue(from: decoder))")
        } else {
            text.line("default:")
            text.indented { writeSearch(others, to: &$0) }
        }
        text.line("}")
    }

    /// The first that fits.
    private func writeSearch(_ cases: [Union.Case], to text: inout SwiftText) {
        for (index, element) in cases.enumerated() {
            let conditions = [("withAnyOf", element.marks), ("withAllOf", element.required)].filter { !$1.isEmpty }
                .map { ", \($0): [\($1.map(Literal.string).joined(separator: ", "))]" }
            let prefix = index == 0 ? "" : "} else "
            text.line("\(prefix)if let value = decoder.fitting(\(element.type.text).self\(conditions.joined())) {")
            text.indented { $0.line("self = .\(element.escapedName)(value)") }
        }
        guard !cases.isEmpty else { return text.line("self = .other(try JSONValue(from: decoder))") }
        text.line("} else {")
        text.indented { $0.line("self = .other(try JSONValue(from: decoder))") }
        text.line("}")
    }

    private func writeEncoding(_ union: Union, to text: inout SwiftText) {
        text.block("\(access)func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.singleValueContainer()")
            text.line("switch self {")
            for element in union.cases {
                text.line("case .\(element.escapedName)(let value): try container.encode(value)")
            }
            text.line("case .other(let value): try container.encode(value)")
            text.line("}")
        }
    }

    private func writeQueryTexts(_ union: Union, to text: inout SwiftText) {
        text.line("")
        text.block("\(access)var queryTexts: [String]") { text in
            text.line("switch self {")
            for name in union.cases.map(\.escapedName) + ["other"] {
                text.line("case .\(name)(let value): value.queryTexts")
            }
            text.line("}")
        }
    }

    private func reading(_ type: SwiftType) -> String {
        type.declaration == nil
            ? "try decoder.singleValueContainer().decode(\(type.text).self)" : "try \(type.text)(from: decoder)"
    }
}

extension Union.Case {
    var escapedName: String { Identifier.escaped(name) }
}
