/// Writes how a leaf with a rule in the settings leads to its next page.
struct SeriesWriter {
    let operation: Operation
    let model: APIModel
    let access: String

    func write(to text: inout SwiftText) {
        let head =
            "\(access)func nextPage(after page: \(operation.result.text), _ response: HTTPURLResponse) -> NextPage?"
        switch operation.series {
        case .header(let name):
            text.gap()
            text.block(head) { text in
                text.line("let next = response.value(forHTTPHeaderField: \(Literal.string(name)))")
                text.line("return next.flatMap { URL(string: $0) }.map { .url($0) }")
            }
        case .query(let item, let path):
            text.gap()
            text.block(head) { text in
                text.line(value(item, at: path) ?? "nil")
            }
        case .none, .link, .polling: break
        }
    }

    /// `page.meta?.next.map { .query(["cursor": $0]) }`; `nil` with a warning if the reply has no such member.
    private func value(_ item: String, at path: String) -> String? {
        var type = operation.result
        var isOptional = false
        var expression = "page"
        if case .optional(let value) = type { (type, isOptional) = (value, true) }
        for key in path.split(separator: ".") {
            guard let property = type.declaration?.structure?.properties.first(where: { $0.key == key }) else {
                model.document.warnings.add(
                    operation.outline.node.pointer,
                    "the rule for its pages names “\(path)”, which the reply does not have"
                )
                return nil
            }
            expression += "\(isOptional ? "?" : "").\(property.escapedName)"
            isOptional = isOptional || property.isOptional
            type = property.type
        }
        let text = type == .string ? "$0" : "\"\\($0)\""
        if isOptional { return "\(expression).map { .query([\(Literal.string(item)): \(text)]) }" }
        let value = type == .string ? expression : "\"\\(\(expression))\""
        return ".query([\(Literal.string(item)): \(value)])"
    }
}
