import APIBaseKit
import APIBaseStubs

/// The recording that a command makes, or is answered from.
enum RecordingFile: Equatable {
    case record(URL)
    case replay(URL)

    /// From `record --out FILE` or `--replay FILE`; `nil` if there is neither.
    init?(isRecorded: Bool, out: String?, replay: String?) throws(UsageError) {
        switch (isRecorded, out, replay) {
        case (true, _, _?): throw .notTogether("record", "--replay")
        case (true, nil, nil): throw .missingArgument("The option “--out”")
        case (true, let out?, nil): self = .record(try Self.file(out, "--out"))
        case (false, _?, _): throw .unknownOption("--out")
        case (false, nil, let replay?): self = .replay(try Self.file(replay, "--replay"))
        case (false, nil, nil): return nil
        }
    }

    private static func file(_ path: String, _ option: String) throws(UsageError) -> URL {
        guard !path.isEmpty else { throw .badValue(option: option, value: path, expected: "the path of a file") }
        return URL(fileURLWithPath: path)
    }

    /// What the command line calls it.
    var word: String {
        switch self {
        case .record: "record"
        case .replay: "--replay"
        }
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
