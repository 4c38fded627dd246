import OpenAPIDocument

/// Writes stubs from the document's examples, and tests that decode them.
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
        var text = SwiftText()
        text.line("import APIBaseTesting")
        if !settings.module.isEmpty { text.line("\(settings.isPublic ? "" : "@testable ")import \(settings.module)") }
        text.line("")
        text.block("extension Stubs") { text in
            text.line(
                "/// Answers every call of \(model.name) with the example of its document, or with the smallest value."
            )
            text.line("/// Stubs that a test has added before come first.")
            text.block("func \(model.name.lowerFirst)Examples()") { text in
                text.block("optionally") { text in
                    for operation in model.operations {
                        guard let answer = answer(to: operation) else { continue }
                        text.line("on(\(operation.name).self).answer(\(answer))")
                    }
                }
            }
        }
        return text.text
    }

    private func answer(to operation: Operation) -> String? {
        if operation.events != nil { return nil }
        switch operation.result {
        case .void: return ".status(204)"
        case .data: return ".status(200)"
        case .string where operation.examples.isEmpty: return ".text(\"text\")"
        default: break
        }
        if !operation.examples.isEmpty { return ".json(\(name).\(constant(operation))[0])" }
        return ".json(\(Literal.json(Sample.value(of: operation.result), indentation: 16)))"
    }

    // MARK: Tests

    private func tests() -> String {
        var text = SwiftText()
        text.line("import APIBaseTesting")
        text.line("import Testing")
        if !settings.module.isEmpty { text.line("\(settings.isPublic ? "" : "@testable ")import \(settings.module)") }
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
}

extension Settings {
    /// The module that the tests import: that of the folder's name.
    var module: String { moduleName ?? name }
}
