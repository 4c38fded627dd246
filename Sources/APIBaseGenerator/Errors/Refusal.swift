import Foundation
import OpenAPIDocument

/// Why nothing is generated: the settings or a name cannot be used.
package enum Refusal: Error, Hashable, LocalizedError {
    case noFile(String)
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
        case .noFile("-"): "The standard input is not read, since later runs read the document again: name a file."
        case .noFile(let url):
            "A document is a file, which later runs read again: curl -fL -o \(Self.fileName(url)) \(url.quotedForShell)"
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
            nothing is written. Run it in a folder that has both, or name the folder: --tests \(folder.quotedForShell)
            """
        case .outside(let path): "\(path) is not in the folder that was named, so nothing is written."
        }
    }

    private static func fileName(_ url: String) -> String {
        let name = URL(string: url)?.lastPathComponent ?? ""
        return (name.contains(".") ? name : "openapi.json").quotedForShell
    }
}
