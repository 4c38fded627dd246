package import OpenAPIDocument

/// Makes Swift code of an OpenAPI document:
///
/// 1. A ``Document`` is JSON, with references that can be followed.
/// 2. ``OperationOutlines`` names its operations, of which a ``Selection`` takes some.
/// 3. An ``APIModel`` is what they are in Swift: operations, types, names.
/// 4. The writers turn it into text, and an ``OutputFolder`` writes that, unless somebody has edited it.
///
/// The same document and the same settings give the same bytes everywhere.
package struct Generator {
    let document: Document
    let settings: Settings
    let outlines: [OperationOutline]
    let chosen: [OperationOutline]

    /// - Throws: ``Refusal`` if a pattern of the settings matches nothing.
    package init(_ document: Document, _ settings: Settings) throws {
        self.document = document
        self.settings = settings
        outlines = OperationOutlines.read(document, overrides: settings.names)
        try settings.check(document, outlines)
        chosen = try Selection(only: settings.only, except: settings.except).choose(from: outlines)
        if outlines.isEmpty { document.warnings.add("#/paths", "the document has no operation") }
    }

    /// The generated files. Reading them fills ``warnings``.
    ///
    /// - Throws: ``Refusal/tooManyTypes(_:)``
    package func files() throws(Refusal) -> GeneratedFiles {
        let model = try model()
        warnOfExamples(in: model)
        let access = settings.isPublic ? "public " : ""
        let document = DocumentWriter(model: model, access: access)
        let layout = Layout(
            model: model,
            access: access,
            catalog: settings.hasCatalog ? settings.module : nil,
            hasCalls: settings.hasCalls
        )
        return GeneratedFiles(
            sources: [GeneratedFile("\(settings.name)Document.swift", document.document())] + layout.files(),
            own: GeneratedFile("\(settings.name)API.swift", document.ownClass()),
            tests: settings.tests == nil ? [] : ExamplesWriter(model: model, settings: settings).files(),
            readme: settings.hasCatalog ? PackageWriter(model: model).readme() : "",
            operationCount: model.operations.count,
            proposals: SeriesProposal.lines(for: model.operations)
        )
    }

    func model() throws(Refusal) -> APIModel {
        try APIModel(document, outlines: outlines, chosen: chosen, settings: settings)
    }

    /// Names the first place of each example that does not fit its schema.
    private func warnOfExamples(in model: APIModel) {
        let schemas = Schemas(of: document)
        for example in model.operations.flatMap(\.examples) {
            guard let schema = example.schema,
                let finding = schemas.findings(in: example.value, schema: schema, direction: .reply)
                    .first(where: { $0.kind == .misfit })
            else { continue }
            let place = example.pointer + finding.place.dropFirst()
            document.warnings.add(place, "the example does not fit its own schema: it \(finding.message)")
        }
    }

    /// The parts of the document that the code leaves out.
    package var warnings: [Warning] { document.warnings.all }

    /// All operations by their groups, with a mark before those that are chosen; and the rules for pages that fit them.
    package func list() throws(Refusal) -> [String] {
        let rules = SeriesProposal.lines(for: try model().operations, atMost: .max)
        let names = Set(chosen.map(\.leafName))
        return outlines.grouped(by: \.group).flatMap { group, outlines in
            ["\(Comment.line(group, width: 80)) (\(outlines.count))"]
                + outlines.map { outline in
                    let mark = names.contains(outline.leafName) ? "*" : " "
                    let id = Comment.line(outline.id ?? "", width: 80)
                    return "\(mark) \(outline.leafName)  \(Comment.line(outline.route, width: 200))  \(id)"
                }
        } + rules
    }
}

/// The results of a document.
package struct GeneratedFiles {
    /// Written anew each time.
    let sources: [GeneratedFile]
    /// Written once.
    let own: GeneratedFile
    /// Written anew each time, in the folder of the tests.
    let tests: [GeneratedFile]
    /// Written once, for a package.
    let readme: String
    let operationCount: Int
    /// Lines about rules for pages.
    let proposals: [String]
}
