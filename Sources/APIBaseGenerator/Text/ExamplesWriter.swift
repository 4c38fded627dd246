import OpenAPIDocument

/// Writes the way from tests to the document, its examples, and tests that decode them.
struct ExamplesWriter {
    let model: APIModel
    let settings: Settings

    private var name: String { "\(model.name)Examples" }

    func files() -> [GeneratedFile] {
        var names = NameTable()
        let examples = GeneratedFile.split(operationsWithExamples, { "\(names.take(name)).swift" }, examples)
        return examples + [GeneratedFile("\(name)+Stubs.swift", stubs()), GeneratedFile("\(name)Tests.swift", tests())]
    }

    private var operationsWithExamples: [Operation] {
        model.operations.filter { operation in
            switch operation.result {
            case .void, .data: false
            default: !operation.examples.isEmpty
            }
        }
    }

    private func constant(_ operation: Operation) -> String {
        let name = operation.name.hasSuffix("Request") ? String(operation.name.dropLast(7)) : operation.name
        return Identifier.escaped(Identifier.member(name, fallback: "value"))
    }

    private func examples(of operations: [Operation]) -> String {
        var text = SwiftText()
        text.line("/// Values of replies as the document shows them.")
        let isFirst = operations.first?.name == operationsWithExamples.first?.name
        text.block("\(isFirst ? "enum" : "extension") \(name)") { text in
            for operation in operations {
                text.gap()
                text.line("/// `\(operation.name)`")
                text.line("static let \(constant(operation)): [String] = [")
                text.indented { text in
                    for example in operation.examples {
                        let literal = Literal.json(example.value, indentation: 8).split(separator: "\n").map(
                            String.init
                        )
                        text.line(literal[0] + (literal.count == 1 ? "," : ""))
                        for (index, line) in literal.enumerated().dropFirst() {
                            text.line(line.dropFirst(8) + (index == literal.count - 1 ? "," : ""))
                        }
                    }
                }
                text.line("]")
            }
        }
        return text.text
    }

    // MARK: Stubs

    private func stubs() -> String {
        let place = Literal.string(settings.documentFromTests)
        var text = SwiftText()
        text.line("import APIBaseContract")
        text.line("import Testing")
        importModule(&text)
        text.line("")
        text.block("extension Trait where Self == DocumentTrait") { text in
            text.comment("Holds the calls of \(model.name) in a test, and the answers of their stubs, to its document.")
            text.braced(
                "static var \(model.name.lowerFirst)Document: Self",
                ".document(\(place)).of(\(model.name)Document.self)"
            )
        }
        text.line("")
        text.block("extension Stubs") { text in
            text.comment(
                "Answers every call of \(model.name) with an example of its document, or with a value made from the schema."
            )
            text.braced(
                "func \(model.name.lowerFirst)Examples() throws",
                "on(document: try APIDocument(file: \(place)).of(\(model.name)Document.self))"
            )
        }
        return text.text
    }

    // MARK: Tests

    private func tests() -> String {
        var text = SwiftText()
        text.line("import APIBaseTesting")
        text.line("import Testing")
        importModule(&text)
        text.line("")
        text.line("/// Each example of the document is a value of its type: where this fails, the document is wrong.")
        text.block("struct \(name)Tests") { text in
            for operation in operationsWithExamples {
                let call = "try decode(\(operation.result.qualifiedText).self, \(name).\(constant(operation)))"
                text.braced("@Test func \(constant(operation))() throws", call)
            }
            text.gap()
            text.block("private func decode<Model: Decodable>(_ type: Model.Type, _ examples: [String]) throws") {
                text in
                let call = "_ = try \(model.name)API().decode(type, from: Data(example.utf8))"
                text.braced("for example in examples", call)
            }
        }
        return text.text
    }

    private func importModule(_ text: inout SwiftText) {
        if !settings.module.isEmpty { text.line("\(settings.isPublic ? "" : "@testable ")import \(settings.module)") }
    }
}

extension Settings {
    /// The module that the tests import: that of the folder's name.
    var module: String { moduleName ?? name }
}
