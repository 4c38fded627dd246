import APIBaseKit

/// The command: reads the arguments, does what they say, and exits with 0 if it worked, 1 if a request or the server
/// failed, and 2 if the arguments are wrong.
@main struct Apibase {
    static func main() async {
        exit(await run(Array(CommandLine.arguments.dropFirst()), output: .standard))
    }

    static func run(_ arguments: [String], output: Output) async -> Int32 {
        do {
            return try await Command(arguments).run(output)
        } catch let error as UsageError {
            output.error("apibase: \(error)\nTry “apibase --help”.")
            return 2
        } catch {
            output.error("apibase: \(describe(error))")
            return 1
        }
    }
}

extension Command {
    /// Does what the command says.
    ///
    /// - Returns: The exit code.
    fileprivate func run(_ output: Output) async throws -> Int32 {
        switch self {
        case .help: output.line(Help.text)
        case .version: output.line(Help.version)
        case .demo: return try await Demo(output: output).run() ? 0 : 1
        case .serve(let host, let port): try await Serve(host: host, port: port, output: output).run()
        case .call(let call, let options):
            try await options.target.reach(call.api) { url in
                try await call.run(at: url, json: options.json, output: output)
            }
        }
        return 0
    }
}
