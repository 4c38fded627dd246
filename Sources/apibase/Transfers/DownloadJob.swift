import APIBaseKit

/// `apibase download URL`: what is at URLs, into files.
struct DownloadJob: Job {
    let requests: [HTTPJob]
    var target = DownloadTarget(path: nil)
    var resumes = true

    func run(_ context: Context) async throws -> Int32 {
        let files = try target.files(for: requests.map(\.url))
        let items = zip(requests, files).map { Downloads.Item(request: $0, file: $1) }
        return try await Downloads(items: items, resumes: resumes).run(context).max() ?? ExitCode.success
    }
}

extension DownloadJob {
    /// From the arguments of ``Command/download``.
    fileprivate init(_ arguments: inout Arguments) throws(UsageError) {
        var (urls, items): ([String], [String]) = ([], [])
        while let text = arguments.next() {
            if urls.isEmpty || Self.isURL(text) { urls.append(text) } else { items.append(text) }
        }
        guard !urls.isEmpty else { throw .missingArgument("The URL") }
        var requests: [HTTPJob] = []
        for url in urls {
            var request = try HTTPJob(.get, to: url, items: items, arguments, command: "download")
            request.accept = "*/*"
            requests.append(request)
        }
        self.init(
            requests: requests,
            target: DownloadTarget(path: arguments.value(.target)),
            resumes: !arguments.has(.noResume)
        )
    }

    /// Whether an operand is a URL, and not an item: it has a scheme, is on this machine, or could be no item.
    private static func isURL(_ text: String) -> Bool {
        let starts = ["http://", "https://", ":", "localhost", "127.", "[::1]"]
        return starts.contains { text.lowercased().hasPrefix($0) } || (try? RequestItem(text)) == nil
    }
}

extension Command {
    static let download = Command(
        name: "download",
        operands: "URL [URL …] [ITEM …]",
        summary: "save what is at URLs, and go on with what has broken off",
        details: """
            Each file has the name of the last segment of its URL's path. It grows in NAME.partial, which takes its place when it
            is whole. What is interrupted goes on from there when the same command runs again, if the server tells the version of
            the file by ETag or Last-Modified. At most four run at a time; one that fails stops no other. For several URLs, a
            folder that is not there is made.

            Headers (Name:value) and items of the query (name==value) are those of all URLs. Behind the first one, a URL with a
            port needs its scheme, or it is read as a header.
            """,
        options: [.target, .noResume, .bearer, .basic, .retry, .idle, .verbose] + Connection.options
    ) { arguments throws(UsageError) in try DownloadJob(&arguments) }
}

extension Option {
    static let target = Option("--out", value: "FILE", "the file, or the folder for all (the current one)")
    fileprivate static let noResume = Option("--no-resume", "begin anew, and leave nothing to go on with")
}
