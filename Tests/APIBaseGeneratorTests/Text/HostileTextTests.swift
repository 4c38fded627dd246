import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// No text of a document becomes code.
@Suite struct HostileTextTests {
    static let texts = [
        "*/ func INJECTED() {} /*", "\"\"\"", "\"; INJECTED(); //", "line\n}\nfunc INJECTED() {}\n///",
        "\\(INJECTED())",
        "\\#(INJECTED())", "a\u{2028}func INJECTED() {}\u{2029}b\u{85}func INJECTED() {}", "\r}\rfunc INJECTED() {}\r",
        "\u{0}\u{1}\u{7F}",
        "\"#\"##", "`INJECTED`", "\u{202E}INJECTED\u{2066}", "\u{B}func INJECTED() {}\u{C}", "<b>INJECTED</b>",
        "\\u{22}INJECTED",
    ]

    @Test(arguments: texts)
    func `Hostile document text leaves no line break or invisible character in a Swift comment`(text: String) {
        for line in Comment.lines(text, width: 80, atMost: 3) {
            #expect(line.unicodeScalars.allSatisfy { !$0.isUnprintable })
        }
    }

    @Test(arguments: texts)
    func `Hostile document text leaves no open quote, interpolation or line break in a Swift literal`(text: String) {
        let escaped = Literal.escaped(text)
        #expect(escaped.unicodeScalars.allSatisfy { !$0.isUnprintable })
        #expect(escaped.replacing("\\\\", with: "").replacing("\\\"", with: "").contains("\"") == false)
        #expect(!escaped.replacing("\\\\", with: "").contains("\\("))
    }

    @Test(arguments: texts)
    func `Hostile document text does not become Swift code, and file paths stay ASCII without dot-dot`(text: String)
        throws
    {
        let word = JSON.string(text).line
        let document = """
            {"openapi": "3.1.0", "info": {"title": \(word), "version": \(word)}, "servers": [{"url": \(word)}],
            "paths": {"/x": {"get": {"operationId": \(word), "summary": \(word), "description": \(word), "tags": [\(word)],
            "deprecated": true, "security": [{\(word): []}],
            "parameters": [{"name": \(word), "in": "query", "description": \(word), "schema": {"enum": [\(word)]}},
            {"name": \(word), "in": "header", "schema": {}}, {"name": \(word), "in": "cookie", "schema": {}}],
            "responses": {"200": {"content": {"application/json": {"schema": {"title": \(word), "properties":
            {\(word): {"enum": [\(word)], "description": \(word)}}}, "example": {\(word): \(word)}},
            \(word): {}}}}}}}, "components": {"securitySchemes": {\(word): {"type": "apiKey", "in": "header", "name": \(word),
            "description": \(word)}}}}
            """
        let code = try Generated(document)
        for (path, text) in code.files {
            #expect(!path.contains(".."))
            #expect(path.allSatisfy { $0.isASCII })
            // A name may have the letters; what was a word of its own may not be one here.
            #expect(!Self.code(of: text).contains(/\bINJECTED\b/), "\(path)")
        }
    }

    /// A text without comments and literals, and without names, which are letters and digits only.
    private static func code(of text: String) -> String {
        let lines = text.split(separator: "\n").filter { !$0.trimmingPrefix { $0 == " " }.hasPrefix("//") }
        return lines.joined(separator: "\n")
            .replacing(/#"""(.|\n)*?"""#/, with: "").replacing(/#"[^\n]*?"#/, with: "")
            .replacing(/"(\\.|[^"\\\n])*"/, with: "")
    }
}
