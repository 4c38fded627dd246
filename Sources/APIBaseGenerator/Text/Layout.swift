import OpenAPIDocument

/// Which declaration stands in which file: the leaves of a tag in one, each type that is not nested in one of its own.
struct Layout {
    let model: APIModel
    let access: String
    /// The module of a catalogue of DocC; `nil` without one.
    let catalog: String?
    /// Whether each operation has a function of the class too.
    let hasCalls: Bool

    private var importLine: String { "\(access)import APIBaseKit" }

    func files() -> [GeneratedFile] {
        // Two files of a module cannot have one name, whatever their folders.
        var names = NameTable(taken: ["\(model.name)API", "\(model.name)Document"], ignoringCase: true)
        let types = model.declarations.map { declaration in
            GeneratedFile("Models/\(names.take(fileName(declaration.name))).swift", text(of: [declaration]))
        }
        let groups = model.operations.grouped { fileName(Identifier.type($0.outline.group, fallback: model.name)) }
            .map { (name: names.take("\($0)Requests"), elements: $1) }
        let requests = groups.flatMap { name, operations -> [GeneratedFile] in
            var isFirst = true
            let leaves = GeneratedFile.split(operations, { "\(free(name, &isFirst)).swift" }, text)
            let nested = operations.filter { !$0.scope.declarations.isEmpty }
            if nested.isEmpty { return leaves }
            return leaves + GeneratedFile.split(nested, { "Models/\(names.take("\(name)+Types")).swift" }, nestedText)
        }
        /// The name of a group, which it has already, and others for further files.
        func free(_ name: String, _ isFirst: inout Bool) -> String {
            defer { isFirst = false }
            return isFirst ? name : names.take(name)
        }
        let pages = catalog.map { CatalogWriter(model: model, module: $0, groups: groups).files() } ?? []
        let writer = CallsWriter(model: model, access: access)
        let calls = {
            GeneratedFile.split(model.operations, { "\(names.take("\(model.name)API+Calls")).swift" }, writer.text)
        }
        return requests + types + pages + (hasCalls ? calls() : [])
    }

    /// Only letters that every system and every archive writes in one way.
    private func fileName(_ name: String) -> String {
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return plain.isEmpty ? "Other" : String(plain.prefix(60))
    }

    private func text(of operations: [Operation]) -> String {
        var text = SwiftText()
        text.line(importLine)
        for operation in operations {
            LeafWriter(model: model, operation: operation, access: access).write(to: &text)
        }
        return text.text
    }

    private func text(of declarations: [Declaration]) -> String {
        var body = SwiftText()
        for declaration in declarations { ModelWriter(access: access).write(declaration, to: &body) }
        return withImport(body, declarations)
    }

    /// The types nested in leaves, as extensions of these.
    private func nestedText(of operations: [Operation]) -> String {
        var body = SwiftText()
        for operation in operations {
            body.gap()
            body.block("extension \(operation.name)") { body in
                for declaration in operation.scope.declarations {
                    ModelWriter(access: access).write(declaration, to: &body)
                }
            }
        }
        return withImport(body, operations.flatMap(\.scope.declarations))
    }

    /// An import that is not needed would be a warning.
    private func withImport(_ body: SwiftText, _ declarations: [Declaration]) -> String {
        let all = declarations.flatMap(\.withNested)
        if all.contains(where: \.needsImport) { return "\(importLine)\n\n\(body.text)" }
        let isInside = all.contains { $0.structure?.additional != nil }
        return isInside ? "import APIBaseKit\n\n\(body.text)" : body.text
    }
}

extension Declaration {
    /// Whether what others see of it has names of the kit or of Foundation.
    fileprivate var needsImport: Bool {
        switch kind {
        case .enumeration, .union: true
        case .structure(let structure):
            structure.additional?.needsImport == true
                || structure.properties.contains { $0.wrapperType != nil || $0.type.needsImport }
        }
    }
}
