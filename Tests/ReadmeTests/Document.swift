import Foundation
import Testing

/// A text of the documentation: the README, or an article of a catalogue.
struct Document: Sendable, CustomTestStringConvertible {
    /// The path below the repository.
    let path: String

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The paths of all files below `Sources`, from there.
    private static let paths: [String] = {
        let sources = root.appendingPathComponent("Sources").path
        return FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    }()

    /// The Swift files below `Sources`, from there.
    static let swiftFiles = paths.filter { $0.hasSuffix(".swift") }

    /// The names of the folders below `Sources`.
    static let folders = Set(paths.flatMap { $0.split(separator: "/").dropLast().map(String.init) })

    /// The names of the public properties and methods of a class of the kit, those of its extensions included.
    static func members(of type: String) throws -> Set<String> {
        let modules = /APIBase(Kit|Core|Streams|Cache|Limits|GraphQL|Logs|SignIn)\/.*\.swift/
        let files = try paths.filter { try modules.wholeMatch(in: $0) != nil }
        let beginnings = ["nonisolated open class \(type):", "extension \(type) {"]
        return try files.reduce(into: []) { names, file in
            let text = try text("Sources/" + file)
            // Most files have none, and splitting all would take long.
            guard beginnings.contains(where: text.contains) else { return }
            let blocks = blocks(of: text, from: { line in beginnings.contains { line.hasPrefix($0) } }, to: "}")
            let modifiers = "(?:@\\w+ )?(?:nonisolated\\(nonsending\\) )?(?:public|open) (?:internal\\(set\\) )?"
            let kind = "(?:class |static )?(?:var|func)"
            let declaration = try Regex("^    \(modifiers)\(kind) (\\w+)", as: (Substring, Substring).self)
            names.formUnion(
                blocks.flatMap { $0.matches(of: declaration.anchorsMatchLineEndings()).map { String($0.1) } }
            )
        }
    }

    /// The README and all articles.
    static let all: [Document] = {
        [Document(path: "README.md")]
            + paths.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted().map {
                Document(path: "Sources/" + $0)
            }
    }()

    var testDescription: String { path }
    /// The name by which articles of the same catalogue link to it.
    var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
    /// The folder that relative links start from.
    var folder: String { URL(fileURLWithPath: path, relativeTo: Self.root).deletingLastPathComponent().path }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// Whether a file of the package, or of the tutorial's, has this path or ends in it.
    static func hasFile(_ path: String) -> Bool {
        exists(path) || paths.contains { ("/" + $0).hasSuffix("/" + path) }
            || exists("Tests/Tutorial/Sources/Blog/" + path)
    }

    /// The names of the files in a folder.
    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
    }

    var text: String { get throws { try Self.text(path) } }

    /// The listings of a language.
    func listings(_ language: String) throws -> [String] {
        Self.blocks(of: try text, from: { $0 == "```" + language }, to: "```")
    }

    /// What stands between marks in the tests' files, where it is compiled, by file.
    static let samples: [String: [String]] = {
        let folder = root.appendingPathComponent("Tests/ReadmeTests").path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.contains("Samples") }.reduce(into: [:]) { samples, file in
            let text = (try? text("Tests/ReadmeTests/" + file)) ?? ""
            samples[file] = blocks(of: text, from: { $0.hasPrefix("// sample ") }, to: "// end")
        }
    }()

    /// The blocks of a text between a line that begins one and a line that ends it.
    static func blocks(of text: String, from begin: (Substring) -> Bool, to end: Substring) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if block == nil {
                if begin(line) { block = [] }
            } else if line == end {
                blocks.append((block ?? []).joined(separator: "\n"))
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }
}
