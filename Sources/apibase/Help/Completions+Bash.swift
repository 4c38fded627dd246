extension Completions {
    /// For bash 3.2 and later. Where there is nothing to offer, bash completes the names of files.
    static var bash: String {
        """
        _apibase() {
            local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= words index
            for ((index = 1; index < COMP_CWORD; index++)); do
                case ${COMP_WORDS[index]} in
                    \(Command.all.map(\.name).joined(separator: "|"))) command=${COMP_WORDS[index]} ;;
                esac
            done
            COMPREPLY=()
            case $previous in
                \(Command.allOptions.filter { $0.placeholder != nil }.flatMap(\.names).joined(separator: "|"))) return ;;
            esac
            case $command in
        \(Command.all.map { "        \($0.name)) words='\(words($0))\(more(after: $0))' ;;" }.joined(separator: "\n"))
                *) words='\(Command.all.map(\.name).joined(separator: " ")) --help --version' ;;
            esac
            COMPREPLY=($(compgen -W "$words" -- "$word"))
        }
        complete -o default -F _apibase apibase
        """
    }

    private static func words(_ command: Command) -> String {
        (command.options + [.help]).flatMap(\.names).joined(separator: " ")
    }
}
