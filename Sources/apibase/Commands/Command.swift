import APIBaseKit
import APIBaseRecording

/// A subcommand. Each is a constant in the file of its job, and is listed in `Command.all`.
struct Command: Sendable {
    let name: String
    /// The operands after the name, such as `URL [ITEM …]`.
    var operands = ""
    let summary: String
    var details = ""
    /// The options of the command, without ``Option/help``.
    var options: [Option] = []
    /// Makes the job. Takes its operands out of the arguments, and throws ``UsageError`` for wrong ones.
    let job: @Sendable (inout Arguments) throws -> any Job

    var isRecordable: Bool { options.contains(.replay) }
}

/// The work of a command, with the values of its arguments.
protocol Job: Equatable, Sendable {
    /// Does the work, and returns the exit code. Throws ``UsageError``, or the error of a call, a server or a file.
    func run(_ context: Context) async throws -> Int32
}

struct Context: Sendable {
    var input: Input?
    let output: Output
    /// The recording between the job and the network; `nil` for the network alone.
    var recording: Recording?
    /// Whether the recording answers, and nothing is sent.
    var isReplay = false
    var environment = ProcessInfo.processInfo.environment

    func recorded<Result>(_ calls: () async throws -> Result) async throws -> Result {
        guard let recording else { return try await calls() }
        return try await recording.run(calls)
    }
}

/// An option of a command. ``Arguments``, help and completions are driven by these values.
struct Option: Sendable, Hashable {
    let name: String
    let short: String?
    /// The placeholder of its value in help texts; `nil` for a flag. `FILE` and `FOLDER` are completed with file names.
    let placeholder: String?
    let summary: String

    init(_ name: String, short: String? = nil, value placeholder: String? = nil, _ summary: String) {
        (self.name, self.short, self.placeholder, self.summary) = (name, short, placeholder, summary)
    }

    var names: [String] { [short, name].compactMap(\.self) }
    var isFile: Bool { placeholder == "FILE" || placeholder == "FOLDER" }

    static let help = Option("--help", short: "-h", "show this help")
    static let version = Option("--version", "show the version")
}

/// The exit codes of the command. ``text`` explains them.
enum ExitCode {
    static let success: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    static let clientError: Int32 = 4
    static let serverError: Int32 = 5
    static let interrupted: Int32 = 130
    /// The reader of the output has closed the pipe: the code that shells give to SIGPIPE.
    static let closedPipe: Int32 = 141

    static func status(_ statusCode: Int) -> Int32 {
        statusCode < 400 ? success : statusCode < 500 ? clientError : serverError
    }

    static func error(_ error: any Error) -> Int32 {
        switch error {
        case is UsageError, RequestError.invalidURL, RequestError.invalidRequest: usage
        case RequestError.httpFailure(let failure): max(failed, status(failure.statusCode))
        default: failed
        }
    }

    static let text = """
        0    success
        1    no response, or another failure
        2    wrong arguments; nothing was sent
        4    the response has a status from 400 to 499
        5    the response has a status of 500 or more
        130  interrupted (Control-C)
        """
}

/// An error in one sentence, with the reason that the server gave.
func describe(_ error: any Error) -> String {
    struct Refusal: Decodable { let reason: String }
    guard case RequestError.httpFailure(let failure) = error else { return error.localizedDescription }
    let reason = try? failure.decode(Refusal.self).reason
    return reason.map { "\(failure.description) \($0)" } ?? failure.description
}
