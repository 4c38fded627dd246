import APIBaseKit

/// A secret as the command line names it: the text itself, or where it is.
///
/// Everybody on the machine can read the command lines of running processes, so scripts write `env:NAME` or `file:PATH`.
enum Secret: Hashable {
    case text(String)
    case environment(name: String)
    case file(path: String)

    init(_ text: String) {
        if text.hasPrefix("env:") {
            self = .environment(name: String(text.dropFirst(4)))
        } else if text.hasPrefix("file:") {
            self = .file(path: String(text.dropFirst(5)))
        } else {
            self = .text(text)
        }
    }

    /// The secret, without the line breaks at the end of its file.
    ///
    /// - Parameters:
    ///   - option: Which option it is the value of, for errors.
    ///   - environment: The variables of the process.
    /// - Returns: The secret.
    /// - Throws: ``UsageError/unavailable(_:reason:)``.
    func resolved(_ option: Option, in environment: [String: String]) throws(UsageError) -> String {
        switch self {
        case .text(let text): return text
        case .environment(let name):
            guard let value = environment[name] else {
                throw .unavailable(option.name, reason: "there is no variable \(name)")
            }
            return value
        case .file(let path):
            guard let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) else {
                throw .unavailable(option.name, reason: "\(path) is no readable text")
            }
            return text.trimmedEnd
        }
    }
}

extension String {
    /// The text without the line breaks at its end, which editors put there.
    var trimmedEnd: String { String(reversed().drop(while: \.isNewline).reversed()) }
}
