extension Completions {
    /// For zsh, whose `_arguments` also shows what options do.
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
        let options = (command.options + [.help]).flatMap { option in
            option.names.map { name in
                let value = option.placeholder.map { ":\(zshText($0)):\(option.isFile ? "_files" : " ")" } ?? ""
                return quoted("\(name)[\(zshText(option.summary))]\(value)")
            }
        }
        let choices = more(after: command)
        return (options + [choices.isEmpty ? "'*: :_files'" : quoted("1:argument:(\(choices))")]).joined(separator: " ")
    }

    /// The text with the characters escaped that have a meaning in a specification of zsh's `_arguments`.
    private static func zshText(_ text: String) -> String {
        text.replacing(":", with: #"\:"#).replacing("[", with: #"\["#).replacing("]", with: #"\]"#)
    }
}
