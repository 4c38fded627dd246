/// An option of a command: what it is called, and what it does.
///
/// Help and completions are made of these values, and ``Arguments`` knows no others.
struct Option: Sendable, Hashable {
    /// The name, such as `--json`.
    let name: String
    /// Another name of one letter, such as `-v`.
    let short: String?
    /// The placeholder for the option's value in a help text; `nil` for an option without one. `FILE` and `FOLDER` are completed
    /// with the names of files.
    let placeholder: String?
    /// The effect of the option, in one line.
    let summary: String

    init(_ name: String, short: String? = nil, value placeholder: String? = nil, _ summary: String) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.summary = summary
    }

    var names: [String] { [short, name].compactMap(\.self) }

    var isFile: Bool { placeholder == "FILE" || placeholder == "FOLDER" }
}

/// The options that every command understands.
extension Option {
    static let help = Option("--help", short: "-h", "say what the command does")
    static let version = Option("--version", "say which version this is")
}
