package import Foundation

/// The reason why a document cannot be read.
package enum DocumentError: Error, Hashable, LocalizedError, CustomStringConvertible {
    case notYAML(String, line: Int, column: Int, reason: String)
    case notJSON(String, line: Int, column: Int, reason: String)
    case notOpenAPI(String)
    case swagger2(String)
    case version(String, String)
    case otherDocument(String, reference: String)

    package var description: String { errorDescription ?? "" }

    /// The reason as a sentence, with the command that helps where there is one.
    package var errorDescription: String? {
        switch self {
        // Another program does not help with a limit.
        case .notYAML(let name, let line, let column, let reason) where reason.hasPrefix("more than"):
            "\(name):\(line):\(column): \(reason)."
        case .notYAML(let name, let line, let column, let reason):
            """
            \(name):\(line):\(column): not YAML as it is read here: \(reason). Another program may convert it: \
            npx js-yaml \(name.quotedForShell) > \(name.withJSONExtension.quotedForShell)
            """
        case .notJSON(let name, let line, let column, let reason): "\(name):\(line):\(column): not JSON: \(reason)."
        case .notOpenAPI(let name): "\(name) is no OpenAPI document: it has no member “openapi”."
        case .swagger2(let name):
            """
            \(name) is Swagger 2.0, and only OpenAPI 3.0 and 3.1 are read. Convert it: \
            npx swagger2openapi \(name.quotedForShell) -o \(name.withExtension("openapi.json").quotedForShell)
            """
        case .otherDocument(let name, let reference):
            "\(name) needs “\(reference)”, and one document is read. Make one of both: \(Self.bundleHint(name))"
        case .version(let name, let version): "\(name) is OpenAPI \(version), and only 3.0 and 3.1 are read."
        }
    }

    /// The command that makes one document of several.
    package static func bundleHint(_ name: String) -> String {
        "npx @redocly/cli bundle \(name.quotedForShell) -o \(name.withExtension("bundled.json").quotedForShell)"
    }
}

extension JSON {
    /// Reads a file.
    ///
    /// - Throws: ``DocumentError/notJSON(_:line:column:reason:)``, or ``DocumentError/notYAML(_:line:column:reason:)``
    ///   for a document that looks like YAML.
    init(document data: Data, name: String) throws {
        guard data.looksLikeYAML(name: name) else {
            self = try JSON(data, name: name)
            return
        }
        do {
            self = try YAMLReader.read(data)
        } catch {
            throw DocumentError.notYAML(name, line: error.line, column: error.column, reason: error.reason)
        }
    }

    /// Reads a file of JSON.
    ///
    /// - Throws: ``DocumentError/notJSON(_:line:column:reason:)``
    package init(_ data: Data, name: String) throws {
        do {
            self = try JSONReader.read(data)
        } catch {
            throw DocumentError.notJSON(name, line: error.line, column: error.column, reason: error.reason)
        }
    }
}

extension Data {
    fileprivate func looksLikeYAML(name: String) -> Bool {
        let text = String(decoding: prefix(4_096), as: UTF8.self)
        if text.first(where: { !$0.isWhitespace }) == "{" { return false }
        let lines = text.split(whereSeparator: \.isNewline)
        return [".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
            || lines.contains { $0.hasPrefix("openapi:") || $0.hasPrefix("swagger:") || $0.hasPrefix("---") }
    }
}

extension String {
    /// A file's name as a word for a shell: nothing in it is a command or an option.
    package var quotedForShell: String {
        let name = hasPrefix("-") ? "./\(self)" : self
        return "'\(name.replacing("'", with: #"'\''"#))'"
    }

    /// The name of a JSON file that is another one.
    fileprivate var withJSONExtension: String { withExtension(hasSuffix(".json") ? "converted.json" : "json") }

    fileprivate func withExtension(_ pathExtension: String) -> String {
        "\((self as NSString).deletingPathExtension).\(pathExtension)"
    }
}
