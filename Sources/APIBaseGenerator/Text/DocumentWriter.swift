import OpenAPIDocument

/// Writes the class that all leaves inherit from, and the one between that is written once.
struct DocumentWriter {
    let model: APIModel
    let access: String

    private var openAccess: String { access.isEmpty ? "" : "open " }

    /// `PetstoreDocument.swift`.
    func document() -> String {
        var text = SwiftText()
        text.line("\(access)import APIBaseKit")
        text.gap()
        let words = [Comment.line(model.document.title, width: 80), model.document.version, "as its document says."]
        text.comment(words.filter { !$0.isEmpty }.joined(separator: ", "))
        text.line("///")
        text.comment(
            "`\(model.name)API` is between this class and those of the calls: what it overrides holds for all."
        )
        text.block("\(openAccess)class \(model.name)Document: JSONAPI") { text in
            if let baseURL = model.baseURL {
                text.line("private static let server = URL(string: \(Literal.string(baseURL)))")
                text.gap()
                text.line("/// The first server of the document.")
                text.line("\(openAccess)override class var baseURL: URL? { server }")
            }
            for scheme in model.security.schemes {
                text.gap()
                text.comment(scheme.comment)
                text.line("\(openAccess)\(scheme.declaration)")
            }
            text.gap()
            text.line("/// Sets the format of dates, and what calls have to show.")
            text.block("\(openAccess)override func configure()") { text in
                text.line("super.configure()")
                text.line("decoder.dateDecodingStrategy = .rfc3339")
                text.line("encoder.dateEncodingStrategy = .rfc3339")
                for statement in SecurityStatements().setting(model.security.usual) { text.line(statement) }
            }
            writeDetail(to: &text)
        }
        if !model.failures.isEmpty { writeFailures(to: &text) }
        return text.text
    }

    /// Writes the hook that reads the failures of the document, those with fewer statuses first.
    private func writeDetail(to text: inout SwiftText) {
        let errors = model.failures.filter(\.isError).enumerated()
            .sorted { ($0.element.statuses.count, $0.offset) < ($1.element.statuses.count, $1.offset) }
        guard !errors.isEmpty else { return }
        text.gap()
        text.line("/// The failure as the document describes it.")
        text.block("\(openAccess)override func detail(of failure: HTTPFailure) -> (any Error)?") { text in
            for (_, error) in errors { text.line("if let error = failure.\(error.property) { return error }") }
            text.line("return super.detail(of: failure)")
        }
    }

    private func writeFailures(to text: inout SwiftText) {
        text.gap()
        text.block("nonisolated extension HTTPFailure") { text in
            for failure in model.failures {
                let head = "\(access)var \(failure.property): \(failure.type.text)?"
                let decoded = "try? decode(\(failure.type.text).self)"
                text.gap()
                text.line("/// The failure as the document describes it; `nil` if the reply is another one.")
                guard let (pattern, isOfOthers) = failure.pattern else {
                    text.braced(head, decoded)
                    continue
                }
                text.block(head) { text in
                    text.line("switch statusCode {")
                    text.line("case \(pattern): \(isOfOthers ? "nil" : decoded)")
                    text.line("default: \(isOfOthers ? decoded : "nil")")
                    text.line("}")
                }
            }
        }
    }

    /// `PetstoreAPI.swift`, which is the user's from then on.
    func ownClass() -> String {
        var text = SwiftText()
        text.line("import APIBaseKit")
        text.gap()
        text.line(
            "/// What all calls of this API share. Yours: `apibase generate` writes this file once, and never again."
        )
        let head = "\(openAccess)class \(model.name)API: \(model.name)Document"
        if model.baseURL != nil {
            text.line("\(head) {}")
        } else {
            text.block(head) { text in
                let path = Literal.escaped(Servers.path(in: model.document.root["servers"]))
                text.line("// The document names no server.")
                text.line("// \(openAccess)override class var baseURL: URL? { URL(string: \"https://…\(path)\") }")
            }
        }
        return text.text
    }
}
