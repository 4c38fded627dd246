extension Completions {
    /// For fish.
    static var fish: String {
        let names = Command.all.map(\.name).joined(separator: " ")
        var lines = ["complete -c apibase -f"]
        for command in Command.all {
            let isFirst = quoted("not __fish_seen_subcommand_from \(names)")
            lines.append("complete -c apibase -n \(isFirst) -a \(command.name) -d \(quoted(command.summary))")
            let isThis = quoted("__fish_seen_subcommand_from \(command.name)")
            let choices = more(after: command)
            if !choices.isEmpty { lines.append("complete -c apibase -n \(isThis) -a \(quoted(choices))") }
            for option in command.options + [.help] {
                let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
                let value = option.placeholder.map { _ in option.isFile ? " -r -F" : " -x" } ?? ""
                let text = quoted(option.summary)
                lines.append(
                    "complete -c apibase -n \(isThis) -l \(option.name.dropFirst(2))\(short)\(value) -d \(text)"
                )
            }
        }
        return lines.joined(separator: "\n")
    }
}
