import APIBaseKit
import APIBaseStubs

/// A command: what help and completions say of it, and what makes its job of the arguments.
///
/// Each is a constant in the file of its job, and stands in ``all``.
struct Command: Sendable {
    /// What it is called.
    let name: String
    /// What stands behind its name, such as `URL [ITEM …]`.
    var operands = ""
    /// What it does, in one line.
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

/// What a command does, with all that the arguments say.
protocol Job: Equatable, Sendable {
    /// Does it.
    ///
    /// - Parameter context: Where to write, and what stands between the job and the network.
    /// - Returns: The exit code.
    /// - Throws: ``UsageError``, or what a call, a server or a file failed with.
    func run(_ context: Context) async throws -> Int32
}

/// What surrounds a job.
struct Context: Sendable {
    let output: Output
    /// What stands between the job and the network.
    var recording: RecordingFile.Opened?
    /// The variables of the process.
    var environment = ProcessInfo.processInfo.environment

    /// Makes calls through the recording, if there is one.
    func recorded<Result>(_ calls: () async throws -> Result) async throws -> Result {
        guard let recording else { return try await calls() }
        return try await recording.recording.run(calls)
    }
}
