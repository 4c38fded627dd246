import APIBaseKit
import APIBaseRecording

/// The file of a recording that a command writes, or is answered from.
struct RecordingFile: Equatable {
    let url: URL
    let isReplay: Bool

    init(_ path: String, isReplay: Bool = false) {
        url = URL(fileURLWithPath: path)
        self.isReplay = isReplay
    }

    /// From `record --out FILE`, `--record FILE` or `--replay FILE`; `nil` without any of them.
    init?(_ arguments: Arguments, isRecorded: Bool) throws {
        let option = isRecorded ? Option.out : .record
        let (record, replay) = (arguments.value(option), arguments.value(.replay))
        if (isRecorded || record != nil) && replay != nil {
            throw UsageError.conflict(isRecorded ? Command.record.name : option.name, Option.replay.name)
        }
        if isRecorded && record == nil { throw UsageError.missingArgument("The option “\(option.name)”") }
        guard let path = record ?? replay else { return nil }
        guard !path.isEmpty else {
            let name = record == nil ? Option.replay.name : option.name
            throw UsageError.badValue(name, path, "the path of a file")
        }
        self.init(path, isReplay: replay != nil)
    }

    /// A replay ignores the origin of requests, because the port of a demo server changes with every run.
    func open() throws -> Recording {
        guard isReplay else { return Recording(replacing: url) }
        return try Recording(file: url, mode: .replay, matching: [.method, .path, .query, .operation])
    }
}

extension Option {
    static let record = Option("--record", value: "FILE", "record requests and responses as HAR, without secrets")
    static let replay = Option("--replay", value: "FILE", "send nothing; answer from the recording FILE")
    static let out = Option("--out", value: "FILE", "the file for the recording")
}

extension Command {
    /// The prefix `record` for another command. It has no job: `Invocation` runs the job of the other command.
    static let record = Command(
        name: "record",
        operands: "--out FILE [COMMAND …]",
        summary: "run a command (by default the demo) and record its requests and responses",
        details: "The file has the format HAR and contains no secrets. --replay FILE answers from it.",
        options: [.out]
    ) { _ in throw UsageError.unknownCommand("record") }
}
