import APIBaseInspector
import APIBaseKit
import APIBaseRecording

/// `apibase inspect FILE`: writes a page that shows the calls of a recording.
struct Inspect: Job {
    let recording: URL
    /// The file for the page; `nil` for a temporary one.
    var page: URL?

    func run(_ context: Context) async throws -> Int32 {
        guard FileManager.default.fileExists(atPath: recording.path) else {
            throw NoRecording(path: recording.path)
        }
        let html = try RecordingPage.html(of: recording)
        let page = page ?? Self.temporaryFile(for: recording)
        guard page.resolvingSymlinksInPath() != recording.resolvingSymlinksInPath() else {
            throw UsageError.conflict(recording.path, "\(Option.save.name) \(page.path)")
        }
        // Only the user may read a new file: a recording may be confidential, even without secrets.
        do {
            try RegularFile(page).replace(with: html)
        } catch {
            throw UnwritablePage(path: page.path, reason: error.localizedDescription)
        }
        context.output.line("The page is at \(page.absoluteString)")
        return ExitCode.success
    }

    private static func temporaryFile(for recording: URL) -> URL {
        let name = recording.deletingPathExtension().lastPathComponent.prefix(40)
        return FileManager.default.temporaryDirectory
            .appendingPathComponent("apibase-\(name)-\(UUID().uuidString.prefix(8)).html")
    }

    private struct NoRecording: LocalizedError {
        let path: String
        var errorDescription: String? { "There is no file at \(path). apibase record --out makes a recording." }
    }

    private struct UnwritablePage: LocalizedError {
        let path: String
        let reason: String
        var errorDescription: String? { "\(path) cannot be written: \(reason)" }
    }
}

extension Command {
    static let inspect = Command(
        name: "inspect",
        operands: "FILE",
        summary: "write a page for the browser that shows the calls of a recording",
        details: """
            FILE is a recording (HAR), also that of a browser. Secrets are removed. The page is one file, which loads nothing.

              apibase record --out session.har demo
              apibase inspect session.har
              apibase inspect session.har --save page.html

            To see the calls of a command while it runs, add --inspect to it: apibase demo --inspect.
            """,
        options: [.save]
    ) { arguments in
        guard let path = arguments.next(), !path.isEmpty else { throw UsageError.missingArgument("The recording") }
        let page = try arguments.value(.save, expected: "the path of a file") {
            $0.isEmpty ? nil : URL(fileURLWithPath: $0)
        }
        return Inspect(recording: URL(fileURLWithPath: path), page: page)
    }
}

extension Option {
    fileprivate static let save = Option("--save", value: "FILE", "write the page to FILE instead of a temporary file")
    static let inspect = Option("--inspect", "show the calls on a page in the browser, until Control-C")
}
