import APIBaseKit
import APIBaseRecording

/// A parsed command line: the job, the recording that it writes or is answered from, and whether its calls are shown.
struct Invocation {
    let job: any Job
    let recording: RecordingFile?
    /// Whether the calls are shown on a page.
    private(set) var isInspected = false

    init(_ list: [String]) throws {
        var list = list
        let flags = list.prefix { $0 != "--" }
        let name = Arguments.takeOperand(from: &list, options: Command.allOptions)
        if flags.contains(where: Option.help.names.contains) {
            (job, recording) = (Help(command: name), nil)
        } else if flags.contains(Option.version.name) {
            (job, recording) = (Version(), nil)
        } else if name == Command.record.name {
            let other = Arguments.takeOperand(from: &list, options: Command.allOptions)
            (job, recording, isInspected) = try Self.parse(other, list, isRecorded: true)
        } else {
            (job, recording, isInspected) = try Self.parse(name, list, isRecorded: false)
        }
    }

    private static func parse(_ name: String?, _ list: [String], isRecorded: Bool) throws
        -> (any Job, RecordingFile?, isInspected: Bool)
    {
        guard let command = Command.named(name ?? Command.demo.name) else {
            throw UsageError.unknownCommand(name ?? "")
        }
        var arguments = try Arguments(list, options: (isRecorded ? [.out, .replay] : []) + command.options)
        let recording = try RecordingFile(arguments, isRecorded: isRecorded)
        let job = try command.job(&arguments)
        try arguments.end()
        if isRecorded, !command.isRecordable { throw UsageError.conflict(Command.record.name, command.name) }
        return (job, recording, arguments.has(.inspect))
    }

    /// The command line that shows the help for wrong arguments.
    static func helpCommand(for list: [String]) -> String {
        var list = list
        let name = Arguments.takeOperand(from: &list, options: Command.allOptions)
        return ["apibase", name.flatMap(Command.named)?.name, "--help"].compactMap(\.self).joined(separator: " ")
    }

    /// The recording is saved even if the job fails, because the failure may be what the user wants to record.
    func run(_ context: Context) async throws -> Int32 {
        guard let file = recording else { return try await job.run(context) }
        let recording = try file.open()
        let result: Result<Int32, any Error>
        do {
            var context = context
            (context.recording, context.isReplay) = (recording, file.isReplay)
            result = .success(try await job.run(context))
        } catch {
            result = .failure(error)
        }
        try recording.save()
        return try result.get()
    }
}
