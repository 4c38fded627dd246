import APIBaseKit
import APIBaseRecording

/// A command: what help and completions say of it, and what makes its job of the arguments.
///
/// Each is a constant in the file of its job, and stands in ``all``.
struct Command: Sendable {
    /// The name of the command.
    let name: String
    /// The operands behind the name, such as `URL [ITEM …]`.
    var operands = ""
    /// The effect of the command, in one line.
    let summary: String
    /// More of it, for its own help.
    var details = ""
    /// Its options, ``Option/help`` not among them.
    var options: [Option] = []
    /// Makes the job, and takes all operands it knows.
    let job: @Sendable (inout Arguments) throws(UsageError) -> any Job

    /// Whether its calls can be recorded and replayed.
    var isRecordable: Bool { options.contains(.replay) }
}

/// The work of a command, with the values of all its arguments.
protocol Job: Equatable, Sendable {
    /// Does it.
    ///
    /// - Parameter context: Where to write, and what stands between the job and the network.
    /// - Returns: The exit code.
    /// - Throws: ``UsageError``, or what a call, a server or a file failed with.
    func run(_ context: Context) async throws -> Int32
}

/// The surroundings of a job: its output, its recording and the environment.
struct Context: Sendable {
    /// The standard input; `nil` if there is none.
    var input: Input?
    let output: Output
    /// The recording through which the job makes its calls; `nil` for the network alone.
    var recording: RecordingFile.Opened?
    /// The variables of the process.
    var environment = ProcessInfo.processInfo.environment

    /// Makes calls through the recording, if there is one.
    func recorded<Result>(_ calls: () async throws -> Result) async throws -> Result {
        guard let recording else { return try await calls() }
        return try await recording.recording.run(calls)
    }
}
