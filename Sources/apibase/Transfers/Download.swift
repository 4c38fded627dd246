import APIBaseKit
import Basics

/// `apibase download URL`: saves the content of URLs in files.
struct DownloadJob: Job {
    let requests: [HTTPJob]
    var target = DownloadTarget(path: nil)

    func run(_ context: Context) async throws -> Int32 {
        let urls = requests.map(\.url)
        let files = try target.files(for: urls)
        let isNamed = !target.isFile(for: urls)
        let items = zip(requests, files).map { Downloads.Item(request: $0, file: $1, isNamedByServer: isNamed) }
        return try await Downloads(items: items).run(context).max() ?? ExitCode.success
    }
}

extension DownloadJob {
    fileprivate init(_ arguments: inout Arguments) throws {
        var (urls, items): ([String], [String]) = ([], [])
        while let text = arguments.next() {
            if urls.isEmpty || Self.isURL(text) { urls.append(text) } else { items.append(text) }
        }
        guard !urls.isEmpty else { throw UsageError.missingArgument("The URL") }
        requests = try urls.map { url in
            var request = try HTTPJob(.get, to: url, items: items, arguments, command: "download")
            request.accept = "*/*"
            return request
        }
        target = DownloadTarget(path: arguments.value(.target))
    }

    /// Whether an operand is a URL: it has a scheme, is on this machine, or is not an item.
    private static func isURL(_ text: String) -> Bool {
        let starts = ["http://", "https://", ":", "localhost", "127.", "[::1]"]
        return starts.contains { text.lowercased().hasPrefix($0) } || (try? RequestItem(text)) == nil
    }
}

extension Command {
    static let download = Command(
        name: "download",
        operands: "URL [URL …] [ITEM …]",
        summary: "save files, and resume interrupted downloads",
        details: """
            A file is named as the server says in Content-Disposition, or else after the last segment of the path of
            the URL, after redirects. A name from the server replaces no file: it gets a number. Until it is complete,
            the file is NAME.partial, with the name of the URL in the command. The same command resumes an interrupted
            download, if the server sends an ETag or Last-Modified. At most four downloads run at a time, and a failed
            one does not stop the others. For several URLs, a missing folder is created.

            Headers (Name:value) and query items (name==value) apply to all URLs. From the second URL on, a URL with a
            port needs its scheme. Otherwise it is a header.
            """,
        options: [.target, .bearer, .basic, .retry, .idle, .verbose, .inspect] + Connection.options
    ) { try DownloadJob(&$0) }
}

extension Option {
    static let target = Option("--out", value: "FILE", "the file, or the folder for all files (the current one)")
}

/// Downloads into files, some at a time, each with a progress bar.
struct Downloads {
    struct Item: Sendable {
        let request: HTTPJob
        let file: URL
        /// Whether the server may give the file another name.
        var isNamedByServer = false

        /// The file for a response.
        @Sendable func file(for response: HTTPURLResponse) -> URL {
            let own = FileNames.name(of: request.url)
            let name = ServerFileName(of: response).text ?? own ?? FileNames.unknown
            guard isNamedByServer, name != own else { return file }
            return FileNames.newFile(name, in: file.deletingLastPathComponent()) ?? file
        }
    }

    let items: [Item]

    private static let width = 4

    /// Prints the error of each that fails, and returns its exit code. Throws for an invalid request.
    func run(_ context: Context) async throws -> [Int32] {
        for item in items { _ = try item.request.call(in: context) }
        let display = ProgressDisplay(on: context.output.err)
        return await withTaskGroup(of: Int32.self) { group in
            var rest = items[...]
            func start() {
                guard let item = rest.popFirst() else { return }
                group.addTask { await fetch(item, context, on: display) }
            }
            for _ in 0..<Self.width { start() }
            var failures: [Int32] = []
            for await code in group {
                if code != ExitCode.success { failures.append(code) }
                start()
            }
            return failures
        }
    }

    private func fetch(_ item: Item, _ context: Context, on display: ProgressDisplay) async -> Int32 {
        let name = item.file.lastPathComponent
        let bar = TransferBar(name, on: display)
        let named = Locked<URL?>(nil)
        do {
            let call = try item.request.call(in: context, isStream: true)
            let report = CallReport(item.request.extras, on: display.above)
            call.onEvent = { event in
                bar.take(event)
                report.take(event)
            }
            let progress = call.$downloadProgress.sink { bar.update(done: $0.received, total: $0.expected) }
            defer { progress.cancel() }
            let file = try await call.downloaded(to: item.file) { response in
                let file = item.file(for: response)
                named.withLock { $0 = file }
                return file
            }
            bar.end(isComplete: true)
            if file != item.file { display.above.line("\(name) is saved as \(file.lastPathComponent)") }
            return ExitCode.success
        } catch {
            bar.end(isComplete: false)
            // The file of a new name has been made for the download, which has not taken its place.
            if let file = named.withLock({ $0 }), file != item.file { FileNames.removeEmpty(file) }
            display.above.line("apibase: \(name): \(describe(error))".forTerminal)
            return ExitCode.error(error)
        }
    }
}
