/// Writes a function of the class for each operation, which makes its leaf: `BooksAPI.getBook(id: 7)`.
struct CallsWriter {
    let model: APIModel
    let access: String

    /// Static members that every API class has.
    private static let inherited: Set<String> = ["baseURL", "useBaseURL", "cancelAll", "init", "self", "Type"]

    func text(of operations: [Operation]) -> String {
        var names = NameTable(taken: Self.inherited)
        var text = SwiftText()
        let needsImport = operations.flatMap { LeafArguments($0).all }.contains(where: \.type.needsImport)
        text.line("\(needsImport ? access : "")import APIBaseKit")
        text.line("")
        text.block("nonisolated extension \(model.name)API") { text in
            for operation in operations { write(operation, names.take(name(operation)), to: &text) }
        }
        return text.text
    }

    private func name(_ operation: Operation) -> String {
        Identifier.member(String(operation.name.dropLast(operation.name.hasSuffix("Request") ? 7 : 0)))
    }

    private func write(_ operation: Operation, _ name: String, to text: inout SwiftText) {
        let arguments = LeafArguments(operation).all
        let values = arguments.map { $0.isUnlabeled ? $0.escapedName : "\($0.name): \($0.escapedName)" }
        text.gap()
        text.comment(operation.title)
        if operation.isDeprecated { text.line(LeafWriter.deprecation) }
        let (head, tail) = ("\(access)static func \(Identifier.escaped(name))", " -> \(operation.name)")
        let list = arguments.map(\.qualifiedDeclaration)
        let call = "\(operation.name)(\(values.joined(separator: ", ")))"
        let line = "\(head)(\(list.joined(separator: ", ")))\(tail) { \(call) }"
        if line.count <= text.room { return text.line(line) }
        text.block(head, list: list, tail) { $0.call(operation.name, values.joined(separator: ", ")) }
    }
}
