import APIBaseKit

extension Command {
    static let upload = Command(
        name: "upload",
        operands: "FILE URL [ITEM …]",
        summary: "send a file, and show the response",
        details: """
            The file is streamed from the disk, with PUT or with POST. Its media type follows from its extension,
            unless an item Content-Type:… sets it. Items are headers (Name:value) and query items (name==value).
            """,
        options: [
            .usesPOST, .bearer, .basic, .retry, .timeout, .noRedirects, .output, .include, .pretty, .timings, .verbose,
            .record, .replay, .inspect,
        ] + Connection.options
    ) { arguments in
        guard let file = arguments.next(), !file.isEmpty else { throw UsageError.missingArgument("The file") }
        var request = try HTTPJob(arguments.has(.usesPOST) ? .post : .put, &arguments, command: "upload")
        (request.body, request.isUpload) = (file, true)
        return request
    }
}

extension Option {
    fileprivate static let usesPOST = Option("--post", "use POST instead of PUT")
}
