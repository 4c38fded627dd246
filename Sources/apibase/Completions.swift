/// `apibase completions SHELL`: prints a script that completes commands and options in a shell.
struct Completions: Job {
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

    /// The names of all commands, or of all shells, where they may follow a command.
    private static func choices(after command: Command) -> String {
        switch command.name {
        case Command.completions.name: Shell.allCases.map(\.rawValue).joined(separator: " ")
        case Command.help.name, Command.record.name: names(separator: " ")
        default: ""
        }
    }

    private static func names(separator: String) -> String { Command.all.map(\.name).joined(separator: separator) }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

    /// For bash 3.2 and later. Without a match, bash completes file names.
    static var bash: String {
        let withValue = Command.allOptions.filter { $0.placeholder != nil }.flatMap(\.names)
        let words = Command.all.map { command in
            let words = (command.options + [.help]).flatMap(\.names) + [choices(after: command)]
            return "        \(command.name)) words='\(words.joined(separator: " "))' ;;"
        }
        return """
            _apibase() {
                local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= words index
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case ${COMP_WORDS[index]} in
                        \(names(separator: "|"))) command=${COMP_WORDS[index]} ;;
                    esac
                done
                COMPREPLY=()
                case $previous in
                    \(withValue.joined(separator: "|"))) return ;;
                esac
                case $command in
            \(words.joined(separator: "\n"))
                    *) words='\(names(separator: " ")) --help --version' ;;
                esac
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -o default -F _apibase apibase
            """
    }

    static var fish: String {
        var lines = ["complete -c apibase -f"]
        for command in Command.all {
            let isFirst = quoted("not __fish_seen_subcommand_from \(names(separator: " "))")
            lines.append("complete -c apibase -n \(isFirst) -a \(command.name) -d \(quoted(command.summary))")
            let isThis = "complete -c apibase -n " + quoted("__fish_seen_subcommand_from \(command.name)")
            let choices = choices(after: command)
            if !choices.isEmpty { lines.append("\(isThis) -a \(quoted(choices))") }
            for option in command.options + [.help] {
                let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
                let value = option.placeholder.map { _ in option.isFile ? " -r -F" : " -x" } ?? ""
                lines.append("\(isThis) -l \(option.name.dropFirst(2))\(short)\(value) -d \(quoted(option.summary))")
            }
        }
        return lines.joined(separator: "\n")
    }

    static var zsh: String {
        """
        #compdef apibase
        _apibase() {
            local -a commands=(
        \(Command.all.map { "        \(quoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
            )
            if ((CURRENT == 2)); then
                _describe command commands
                return
            fi
            local command=${words[2]}
            shift words
            ((CURRENT--))
            case $command in
        \(Command.all.map { "        \($0.name)) _arguments \(zshArguments($0)) ;;" }.joined(separator: "\n"))
            esac
        }
        compdef _apibase apibase
        """
    }

    private static func zshArguments(_ command: Command) -> String {
        /// The text with the characters escaped that have a meaning for `_arguments`.
        func escaped(_ text: String) -> String {
            text.replacing(":", with: #"\:"#).replacing("[", with: #"\["#).replacing("]", with: #"\]"#)
        }
        let options = (command.options + [.help]).flatMap { option in
            let value = option.placeholder.map { ":\(escaped($0)):\(option.isFile ? "_files" : " ")" } ?? ""
            return option.names.map { quoted("\($0)[\(escaped(option.summary))]\(value)") }
        }
        let choices = choices(after: command)
        return (options + [choices.isEmpty ? "'*: :_files'" : quoted("1:argument:(\(choices))")])
            .joined(separator: " ")
    }
}

extension Command {
    static let completions = Command(
        name: "completions",
        operands: "bash | zsh | fish",
        summary: "print a script that completes the command in a shell",
        details: """
            bash: source <(apibase completions bash), in ~/.bashrc
            zsh:  source <(apibase completions zsh), in ~/.zshrc after compinit
            fish: apibase completions fish > ~/.config/fish/completions/apibase.fish
            """
    ) { arguments in
        let shells = Completions.Shell.allCases.map(\.rawValue).joined(separator: ", ")
        guard let name = arguments.next() else { throw UsageError.missingArgument("The name of a shell (\(shells))") }
        guard let shell = Completions.Shell(rawValue: name) else {
            throw UsageError.badValue("SHELL", name, "one of \(shells)")
        }
        return Completions(shell: shell)
    }
}
