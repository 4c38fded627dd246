/// `apibase completions SHELL`: a script by which a shell completes commands and options.
struct Completions: Job {
    /// The shells for which there is one.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    let shell: Shell

    func run(_ context: Context) async throws -> Int32 {
        context.output.line(Self.script(for: shell))
        return ExitCode.success
    }

    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The words that may follow a command: another one, or a shell, with a space before each.
    static func more(after command: Command) -> String {
        switch command.name {
        case Command.completions.name: " " + Shell.allCases.map(\.rawValue).joined(separator: " ")
        case Command.help.name, Command.record.name: " " + Command.all.map(\.name).joined(separator: " ")
        default: ""
        }
    }

    /// The text as one word of a shell.
    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

}

extension Command {
    static let completions = Command(
        name: "completions",
        operands: "bash | zsh | fish",
        summary: "print a script by which a shell completes the command",
        details: """
            bash: source <(apibase completions bash), in ~/.bashrc
            zsh:  source <(apibase completions zsh), in ~/.zshrc behind compinit
            fish: apibase completions fish > ~/.config/fish/completions/apibase.fish
            """
    ) { arguments throws(UsageError) in
        let shells = Completions.Shell.allCases.map(\.rawValue).joined(separator: ", ")
        guard let name = arguments.next() else { throw .missingArgument("The name of a shell (\(shells))") }
        guard let shell = Completions.Shell(rawValue: name) else {
            throw .badValue(option: "SHELL", value: name, expected: "one of \(shells)")
        }
        return Completions(shell: shell)
    }
}
