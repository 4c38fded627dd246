import APIBaseKit
import APIBaseStubs

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
    /// - Parameters:
    ///   - output: Where to write.
    ///   - recording: What stands between the command and the network.
    /// - Returns: The exit code.
    /// - Throws: What the server, a call or the recording failed with.
    fileprivate func run(_ output: Output, through recording: RecordingFile.Opened? = nil) async throws -> Int32 {
        switch self {
        case .help: output.line(Help.text)
        case .version: output.line(Help.version)
        case .demo: return try await Demo(output: output, recording: recording).run() ? 0 : 1
        case .serve(let host, let port): try await Serve(host: host, port: port, output: output).run()
        case .call(let call, let options):
            try await options.target.reach(call.api, startingServer: recording?.isReplay != true) { url in
                try await SessionScopes.$current.withValue(recording?.recording) {
                    try await call.run(at: url, anyKey: recording?.isReplay == true, json: options.json, output: output)
                }
            }
        case .recorded(let command, let file):
            let recording = try file.open()
            // What was recorded is written even if it fails in the end: a refusal may be just what is to be recorded.
            let code: Int32
            do {
                code = try await command.run(output, through: recording)
            } catch {
                try recording.recording.save()
                throw error
            }
            try recording.recording.save()
            return code
        }
        return 0
    }
}
