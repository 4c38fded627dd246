import APIBaseKit
import APIBaseRecording

/// A command line, read: the job, and the recording it is made into or answered from.
struct Invocation {
    let job: any Job
    let recording: RecordingFile?

    init(_ list: [String]) throws(UsageError) {
        var list = list
        let flags = list.prefix { $0 != "--" }
        let name = Arguments.takeOperand(from: &list, options: Command.allOptions)
        if flags.contains(where: Option.help.names.contains) {
            (job, recording) = (Help(command: name), nil)
        } else if flags.contains(Option.version.name) {
            (job, recording) = (Version(), nil)
        } else if name == Command.record.name {
            let other = Arguments.takeOperand(from: &list, options: Command.allOptions)
            (job, recording) = try Self.read(other, list, isRecorded: true)
        } else {
            (job, recording) = try Self.read(name, list, isRecorded: false)
        }
    }

    /// The job of a command, which is the demo if it has no name.
    private static func read(
        _ name: String?,
        _ list: [String],
        isRecorded: Bool
    ) throws(UsageError) -> (any Job, RecordingFile?) {
        guard let command = Command.named(name ?? Command.demo.name) else { throw .unknownCommand(name ?? "") }
        var arguments = try Arguments(list, options: (isRecorded ? [.out, .replay] : []) + command.options)
        let recording = try RecordingFile(arguments, isRecorded: isRecorded)
        let job = try command.job(&arguments)
        try arguments.end()
        if isRecorded, !command.isRecordable { throw .notTogether(Command.record.name, command.name) }
        return (job, recording)
    }

    /// The command line that shows help, after wrong arguments.
    static func help(for list: [String]) -> String {
        var list = list
        let name = Arguments.takeOperand(from: &list, options: Command.allOptions)
        return ["apibase", name.flatMap(Command.named)?.name, "--help"].compactMap(\.self).joined(separator: " ")
    }

    /// Does the job.
    ///
    /// What was recorded is written even if the job fails in the end: a refusal may be just what is to be recorded.
    ///
    /// - Returns: The exit code.
    /// - Throws: What the job failed with, or that the recording cannot be read or written.
    func run(_ context: Context) async throws -> Int32 {
        guard let recording = try recording?.open() else { return try await job.run(context) }
        var context = context
        context.recording = recording
        let code: Int32
        do {
            code = try await job.run(context)
        } catch {
            try recording.recording.save()
            throw error
        }
        try recording.recording.save()
        return code
    }
}
