import APIBaseKit

/// The command: reads the arguments, does what they say, and exits with one of ``ExitCode``.
@main struct Apibase {
    static func main() async {
        // First: where there is no standard input, the next thing that is opened gets its number.
        let input = Input(STDIN_FILENO)
        Interruption.listen()
        exit(await run(Array(CommandLine.arguments.dropFirst()), input: input, output: .standard))
    }

    static func run(_ arguments: [String], input: Input? = nil, output: Output) async -> Int32 {
        do {
            return try await Invocation(arguments).run(Context(input: input, output: output))
        } catch let error as UsageError {
            let help = Invocation.help(for: arguments)
            output.error("apibase: \(error.description.withoutControls)\nTry “\(help)”.")
            return ExitCode.error(error)
        } catch {
            output.error("apibase: \(describe(error).withoutControls)")
            return ExitCode.error(error)
        }
    }
}
