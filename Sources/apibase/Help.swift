import APIBaseKit

/// `apibase help`, `apibase COMMAND --help`: prints the help of all commands or of one.
struct Help: Job {
    let command: String?

    func run(_ context: Context) async throws -> Int32 {
        guard let command, command != Command.help.name else {
            context.output.line(Self.overview)
            return ExitCode.success
        }
        guard let command = Command.named(command) else { throw UsageError.unknownCommand(command) }
        context.output.line(command.help)
        return ExitCode.success
    }

    private static var overview: String {
        """
        apibase calls web APIs through APIBaseKit: any API, and four that it knows.

        USAGE
          apibase [COMMAND] [OPTION …]

        COMMANDS
        \(table(Command.all.map { ($0.name, $0.summary) }))

        OPTIONS
          Each command has its own: apibase COMMAND --help
        \(table(rows([.help, .version])))

        EXIT CODES
        \(ExitCode.text.indented)

        ENVIRONMENT
          NO_COLOR             turns colors off
          UNSPLASH_ACCESS_KEY  the access key for photos --live

        EXAMPLES
          apibase get https://api.example.com/books page==2 --bearer env:TOKEN
          apibase post :8080/users name=user email=user@example.com password=password123
          apibase photos --search night --show
          apibase download https://example.com/a.iso --retry 3
          source <(apibase completions bash)
        """
    }

    fileprivate static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.columns).max() ?? 0
        return rows.map { "\($0.padded(to: width))  \($1)" }.joined(separator: "\n").indented
    }

    fileprivate static func rows(_ options: [Option]) -> [(String, String)] {
        options.map { option in
            ((option.names.joined(separator: ", ") + (option.placeholder.map { " \($0)" } ?? "")), option.summary)
        }
    }
}

extension Command {
    fileprivate var help: String {
        let usage = ["apibase", name, operands, options.isEmpty ? "" : "[OPTION …]"].filter { !$0.isEmpty }
        let parts = [
            "apibase \(name): \(summary)", "USAGE\n  \(usage.joined(separator: " "))", details,
            "OPTIONS\n\(Help.table(Help.rows(options + [.help])))", "EXIT CODES\n\(ExitCode.text.indented)",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    static let help = Command(name: "help", operands: "[COMMAND]", summary: "show the help of a command") {
        Help(command: $0.next())
    }
}

struct Version: Job {
    func run(_ context: Context) async throws -> Int32 {
        context.output.line("apibase \(PackageVersion.number)")
        return ExitCode.success
    }
}
