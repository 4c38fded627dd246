import APIBaseKit
import APIBaseRecording

/// The recording that a command makes, or is answered from.
enum RecordingFile: Equatable {
    case record(URL)
    case replay(URL)

    /// From `record --out FILE`, `--record FILE` or `--replay FILE`; `nil` if there is none of them.
    init?(_ arguments: Arguments, isRecorded: Bool) throws(UsageError) {
        let option = isRecorded ? Option.out : .record
        switch (arguments.value(option), arguments.value(.replay)) {
        case (_, _?) where isRecorded: throw .notTogether(Command.record.name, Option.replay.name)
        case (_?, _?): throw .notTogether(option.name, Option.replay.name)
        case (nil, nil) where isRecorded: throw .missingArgument("The option “\(option.name)”")
        case (let out?, nil): self = .record(try Self.file(out, option))
        case (nil, let replay?): self = .replay(try Self.file(replay, .replay))
        case (nil, nil): return nil
        }
    }

    private static func file(_ path: String, _ option: Option) throws(UsageError) -> URL {
        guard !path.isEmpty else {
            throw .badValue(option: option.name, value: path, expected: "the path of a file")
        }
        return URL(fileURLWithPath: path)
    }

    /// The recording: a new one in place of the file, or what is in the file.
    ///
    /// Requests find their entries by method, path and query alone, since a demo server has another port every time.
    func open() throws -> Opened {
        switch self {
        case .record(let file): Opened(recording: Recording(replacing: file), isReplay: false)
        case .replay(let file):
            Opened(
                recording: try Recording(file: file, mode: .replay, matching: [.method, .path, .query]),
                isReplay: true
            )
        }
    }

    /// A recording in use.
    struct Opened {
        let recording: Recording
        let isReplay: Bool

        var name: String { recording.file.lastPathComponent }
    }
}

extension Option {
    static let record = Option("--record", value: "FILE", "write down what is said, as HAR, without secrets")
    static let replay = Option("--replay", value: "FILE", "send nothing: FILE answers what it was recorded for")
    static let out = Option("--out", value: "FILE", "where to write what is said")
}

extension Command {
    /// The command `record`, which precedes another one. It has no job of its own: ``Invocation`` does the other's.
    static let record = Command(
        name: "record",
        operands: "--out FILE [COMMAND …]",
        summary: "make the calls of a command (of the demo, if there is none) and write down what was said",
        details: "The file is in the format HAR, and without secrets. --replay FILE answers from it.",
        options: [.out]
    ) { _ throws(UsageError) in throw .unknownCommand("record") }
}
