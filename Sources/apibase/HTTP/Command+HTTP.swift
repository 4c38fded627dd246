import APIBaseKit

extension Command {
    /// The command that sends a request of this method to any server.
    static func http(_ method: HTTPMethod) -> Command {
        let hasBody = method != .get && method != .head
        let takesInput = hasBody && method != .delete
        return Command(
            name: method.rawValue.lowercased(),
            operands: "URL [ITEM …]",
            summary: summaries[method] ?? "send a request",
            details: details,
            options: (hasBody ? [.body, .form] : []) + (takesInput ? [.ignoreInput] : []) + [
                .bearer, .basic, .retry, .timeout, .noRedirects, .output, .include, .pretty, .timings, .verbose, .curl,
                .record, .replay,
            ] + Connection.options
        ) { arguments throws(UsageError) in try HTTPJob(method, &arguments) }
    }

    private static let summaries: [HTTPMethod: String] = [
        .get: "read what is at a URL", .head: "read only the status and the headers of it",
        .post: "send something new, as JSON, form or file", .put: "send what replaces what is there",
        .patch: "send changes to it", .delete: "remove it",
    ]

    private static let details = """
        URL may leave out the scheme: it is http for localhost and for loopback addresses, and https for other hosts.
        :8080/path is on localhost.

        ITEMS
        \(RequestItem.help.indented)

        INPUT
          Where no item makes a body, post, put and patch send what comes by the standard input, if that is a pipe or a file:
          echo '{"a": 1}' | apibase post URL. It is read to its end. Scripts whose own input is not for the command, as in a
          loop of while read, say --ignore-stdin.

        OUTPUT
          The body of the reply goes to the standard output: as it is into a pipe or a file; on a terminal, JSON with colours and
          a line for each member. Everything else goes to the standard error; only what --include, --curl and head print is
          output, too. A status from 400 on is an error: it has an exit code of its own, and --output does not write the file.

        SECRETS
          Command lines are seen by everybody on the machine. --bearer and --basic take env:NAME for a variable and file:PATH
          for a file instead of the secret, and an item Name:@PATH a header. --verbose, --curl and recordings do not show them.
        """ + Connection.help
}
