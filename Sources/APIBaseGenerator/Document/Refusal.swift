import Foundation

/// Why nothing is generated: the document, the settings or a name cannot be used.
package enum Refusal: Error, Hashable, LocalizedError {
    case notYAML(String, line: Int, column: Int, reason: String)
    case swagger2(String)
    case notOpenAPI(String)
    case noFile(String)
    case version(String, String)
    case notJSON(String, line: Int, column: Int, reason: String)
    case badName(String)
    case badSettings(String, reason: String)
    case unreadable(String, reason: String)
    case nothingSelected(String)
    case nothingLeft
    case tooManyTypes(String)
    case outside(String)
    /// The folder of the tests, by the settings in a file.
    case testsOutside(String, settings: String)

    /// The reason as a sentence, with the command that helps where there is one.
    package var errorDescription: String? {
        switch self {
        case .notYAML(let name, let line, let column, let reason):
            """
            \(name):\(line):\(column): not YAML as it is read here: \(reason). Another program may convert it: \
            npx js-yaml \(Self.shell(name)) > \(Self.shell(name.withJSONExtension))
            """
        case .swagger2(let name):
            """
            \(name) is Swagger 2.0, and only OpenAPI 3.0 and 3.1 are read. Convert it: \
            npx swagger2openapi \(Self.shell(name)) -o \(Self.shell(name.withExtension("openapi.json")))
            """
        case .notOpenAPI(let name): "\(name) is no OpenAPI document: it has no member “openapi”."
        case .noFile("-"): "The standard input is not read, since later runs read the document again: name a file."
        case .noFile(let url):
            "A document is a file, which later runs read again: curl -fL -o \(Self.fileName(url)) \(Self.shell(url))"
        case .version(let name, let version): "\(name) is OpenAPI \(version), and only 3.0 and 3.1 are read."
        case .notJSON(let name, let line, let column, let reason): "\(name):\(line):\(column): not JSON: \(reason)."
        case .badName("JSON"), .badName("GraphQL"):
            "An API cannot be called so: its class would have the name of the kit's own, JSONAPI or GraphQLAPI."
        case .badName(let name):
            "“\(name)” is no name for an API: expected a capital, then letters and digits, such as Petstore."
        case .badSettings(let path, let reason): "\(path): \(reason)."
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .nothingSelected(let pattern): "No operation matches “\(pattern)”. --list shows them all."
        case .nothingLeft: "--except leaves no operation of those that are chosen."
        case .tooManyTypes(let name):
            """
            \(name) gives many times more types than it has schemas, since they are parts of one another, so nothing \
            is generated. Choose operations with --only.
            """
        case .testsOutside(let folder, let settings):
            """
            \(settings) would write the tests to \(folder), which is outside of the folder where the command runs, so \
            nothing is written. Run it in a folder that has both, or name the folder: --tests \(Self.shell(folder))
            """
        case .outside(let path): "\(path) is not in the folder that was named, so nothing is written."
        }
    }

    static func bundleHint(_ name: String) -> String {
        "npx @redocly/cli bundle \(shell(name)) -o \(shell(name.withExtension("bundled.json")))"
    }

    private static func fileName(_ url: String) -> String {
        let name = URL(string: url)?.lastPathComponent ?? ""
        return shell(name.contains(".") ? name : "openapi.json")
    }

    /// A file's name as a word for a shell: nothing in it is a command or an option.
    static func shell(_ name: String) -> String {
        let name = name.hasPrefix("-") ? "./\(name)" : name
        return "'\(name.replacing("'", with: #"'\''"#))'"
    }

    static func looksLikeYAML(_ data: Data, name: String) -> Bool {
        let text = String(decoding: data.prefix(4_096), as: UTF8.self)
        if text.first(where: { !$0.isWhitespace }) == "{" { return false }
        let lines = text.split(whereSeparator: \.isNewline)
        return [".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
            || lines.contains { $0.hasPrefix("openapi:") || $0.hasPrefix("swagger:") || $0.hasPrefix("---") }
    }
}

extension JSON {
    /// Reads a file.
    ///
    /// - Throws: ``Refusal/notJSON(_:line:column:reason:)``, or ``Refusal/notYAML(_:line:column:reason:)`` for a document
    ///   that looks like YAML.
    init(document data: Data, name: String) throws {
        guard Refusal.looksLikeYAML(data, name: name) else {
            self = try JSON(data, name: name)
            return
        }
        do {
            self = try YAMLReader.read(data)
        } catch {
            throw Refusal.notYAML(name, line: error.line, column: error.column, reason: error.reason)
        }
    }

    /// Reads a file of JSON.
    ///
    /// - Throws: ``Refusal/notJSON(_:line:column:reason:)``
    init(_ data: Data, name: String) throws {
        do {
            self = try JSONReader.read(data)
        } catch {
            throw Refusal.notJSON(name, line: error.line, column: error.column, reason: error.reason)
        }
    }
}

extension String {
    /// The name of a JSON file that is another one.
    fileprivate var withJSONExtension: String { withExtension(hasSuffix(".json") ? "converted.json" : "json") }

    fileprivate func withExtension(_ pathExtension: String) -> String {
        "\((self as NSString).deletingPathExtension).\(pathExtension)"
    }
}
