import OpenAPIDocument

/// Writes the class of an operation.
struct LeafWriter {
    let model: APIModel
    let operation: Operation
    let access: String

    func write(to text: inout SwiftText) {
        text.gap()
        writeComment(to: &text)
        let protocols = [operation.requestProtocol, operation.events.map { _ in "EventRequest" }].compactMap(\.self)
        let head = "final class \(operation.name): \(model.name)API, \(protocols.joined(separator: ", "))"
        text.block("\(access)\(head)") { text in
            if operation.requestProtocol != nil {
                text.line("\(access)typealias ModelType = \(operation.result.text)")
            }
            writeEventTypes(to: &text)
            writeInitializer(to: &text)
            SeriesWriter(operation: operation, model: model, access: access).write(to: &text)
            writeDetail(to: &text)
        }
    }

    /// `GET /pets`: what the document says in a line, and then in a paragraph.
    private func writeComment(to text: inout SwiftText) {
        let description = operation.outline.node.text("description") ?? ""
        let summary = operation.outline.node.text("summary") ?? ""
        text.comment(operation.title)
        guard !summary.isEmpty, !description.isEmpty, !summary.hasPrefix(description) else { return }
        text.line("///")
        text.comment(description)
    }

    private func writeEventTypes(to text: inout SwiftText) {
        guard let events = operation.events else { return }
        text.line("\(access)typealias EventType = \(events.text)")
        if model.hasEndMark {
            text.line("\(access)let endMark = \"[DONE]\"")
        }
        if events == .string {
            text.line("\(access)func decode(_ event: ServerSentEvent) -> String? { event.data }")
        }
    }

    /// Writes the hook that reads the errors of this operation whose statuses mean something else in another one.
    private func writeDetail(to text: inout SwiftText) {
        let errors = model.disputedErrors(of: operation)
        guard !errors.isEmpty else { return }
        text.gap()
        text.block("\(access)override func detail(of failure: HTTPFailure) -> (any Error)?") { text in
            text.line("switch failure.statusCode {")
            for error in errors {
                let decoded = "(try? failure.decode(\(error.type.text).self)) ?? super.detail(of: failure)"
                let pattern = "case \(Failure.pattern(of: error.statuses)):"
                if pattern.count + 1 + decoded.count <= text.room {
                    text.line("\(pattern) \(decoded)")
                } else {
                    text.line(pattern)
                    text.line("    \(decoded)")
                }
            }
            text.line("default: super.detail(of: failure)")
            text.line("}")
        }
    }

    // MARK: The initializer

    static let deprecation = "@available(*, deprecated, message: \"The document calls this operation deprecated.\")"

    private func writeInitializer(to text: inout SwiftText) {
        let arguments = LeafArguments(operation)
        let statements = LeafStatements(operation: operation, arguments: arguments, usual: model.security.usual)
        let isDeprecated = operation.isDeprecated
        writeParameters(arguments, to: &text)
        if isDeprecated { text.line(Self.deprecation) }
        let body = statements.all
        let list = arguments.all.map(\.declaration)
        let head = list.isEmpty ? "\(access)override init" : "\(access)init"
        let line = "\(head)(\(list.joined(separator: ", "))) { \(body[0]) }"
        if body.count == 1, line.count <= text.room { return text.line(line) }
        text.block(head, list: list) { text in write(body, to: &text) }
    }

    private func write(_ statements: [String], to text: inout SwiftText) {
        for statement in statements {
            if statement.count > text.room, statement.hasPrefix("super.init("), statement.hasSuffix(")") {
                text.call("super.init", String(statement.dropFirst("super.init(".count).dropLast()))
            } else {
                text.line(statement)
            }
        }
    }

    private func writeParameters(_ arguments: LeafArguments, to text: inout SwiftText) {
        let documented = arguments.all.compactMap { argument -> (name: String, words: String)? in
            let words = Comment.line(argument.documentation ?? "", width: text.room - argument.name.count - 10)
            return words.isEmpty ? nil : (argument.name, words)
        }
        if documented.count == 1 {
            text.line("/// - Parameter \(documented[0].name): \(documented[0].words)".cut(to: text.room))
        } else if !documented.isEmpty {
            text.line("/// - Parameters:")
            for (name, words) in documented { text.line("///   - \(name): \(words)") }
        }
    }
}

extension Operation {
    /// `GET /pets`: what the document says of it.
    var title: String {
        let route = "`\(outline.route.replacing("`", with: ""))`"
        let words = [outline.node.text("summary"), outline.node.text("description")].compactMap(\.self)
        return words.first { !$0.isEmpty }.map { "\(route): \($0)" } ?? route
    }

    /// The protocol of the leaf; `nil` for one that is answered with events only.
    fileprivate var requestProtocol: String? {
        if events != nil, case .void = result { return nil }
        switch series {
        case .none: return "Request"
        case .link: return "LinkPagedRequest"
        case .header, .url, .query, .number, .offset: return "PagedRequest"
        case .polling: return "PolledRequest"
        }
    }

}

extension String {
    fileprivate func cut(to width: Int) -> String { count <= width ? self : "\(prefix(width - 1))…" }
}
