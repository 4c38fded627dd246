import APIBaseKit

extension Command {
    /// All commands, in the order of the help. A new one is added here, and nowhere else.
    static let all: [Command] =
        [.demo]
        + [HTTPMethod.get, .head, .post, .put, .patch, .delete].map(Command.http)
        + [.download, .upload, .events, .pages]
        + [.users, .posts, .photos, .apps, .todos, .serve, .record, .completions, .help]

    /// The command of that name.
    static func named(_ name: String) -> Command? { all.first { $0.name == name } }

    /// The options of all commands, each once.
    static let allOptions = all.flatMap(\.options).reduce(into: [Option.help, Option.version]) { options, option in
        if !options.contains(option) { options.append(option) }
    }
}
