import APIBaseKit

/// The command: reads the arguments, runs the job they name, and exits with an ``ExitCode``.
@main struct Apibase {
    static func main() async {
        // First, because the next file that is opened would get the number of a missing standard input.
        let input = Input(STDIN_FILENO)
        SignalHandler.start()
        exit(await run(Array(CommandLine.arguments.dropFirst()), input: input, output: .standard))
    }

    static func run(_ arguments: [String], input: Input? = nil, output: Output) async -> Int32 {
        var page: LivePage?
        let code = await exitCode(of: arguments, output) { invocation in
            if invocation.isInspected { page = try LivePage(output) }
            return try await invocation.run(Context(input: input, output: output))
        }
        await page?.stayOpen(output)
        return code
    }

    private static func exitCode(
        of arguments: [String],
        _ output: Output,
        _ run: (Invocation) async throws -> Int32
    ) async -> Int32 {
        do {
            return try await run(Invocation(arguments))
        } catch let error as UsageError {
            let help = Invocation.helpCommand(for: arguments)
            output.error("apibase: \(error.description.forTerminal)\nTry “\(help)”.")
            return ExitCode.error(error)
        } catch {
            output.error("apibase: \(describe(error).forTerminal)")
            return ExitCode.error(error)
        }
    }
}

extension Output {
    /// If the reader of the output closes the pipe, as `| head -1` does, the process ends silently, as if by SIGPIPE.
    fileprivate static let standard: Output = {
        let err = Channel(STDERR_FILENO) { _ in }
        let out = Channel(STDOUT_FILENO) { failure in
            if failure == EPIPE { exit(ExitCode.closedPipe) }
            err.line("apibase: the output cannot be written.")
            exit(ExitCode.failed)
        }
        return Output(out: out, err: err)
    }()
}

extension Command {
    static let all: [Command] =
        [[.demo], methods.map(Command.http), [.download, .upload, .events, .socket, .pages], others].flatMap(\.self)
    private static let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .query]
    private static let others: [Command] = [
        .users, .posts, .photos, .apps, .todos, .serve, .record, .inspect, .generate, .verify, .completions, .help,
    ]

    static func named(_ name: String) -> Command? { all.first { $0.name == name } }

    static let allOptions = all.flatMap(\.options).reduce(into: [Option.help, Option.version]) { options, option in
        if !options.contains(option) { options.append(option) }
    }
}
