import APIBaseKit
import Basics

extension Command {
    /// The command that sends a request with this method to any server.
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
                .record, .replay, .inspect,
            ] + Connection.options
        ) { try HTTPJob(method, &$0) }
    }

    private static let summaries: [HTTPMethod: String] = [
        .get: "fetch a resource", .head: "fetch only the status and the headers of a resource",
        .post: "create a resource, from JSON, a form or a file", .put: "replace a resource",
        .patch: "change a resource", .delete: "delete a resource",
        .query: "read what a query in the body asks for",
    ]

    private static let details = """
        URL may omit the scheme: the default is http for localhost and loopback addresses, and https for other hosts.
        :8080/path is on localhost.

        ITEMS
        \(RequestItem.help.indented)

        INPUT
          If no item makes a body, post, put, patch and query send the standard input, if it is a pipe or a file:
          echo '{"a": 1}' | apibase post URL
          A query needs a media type. JSON and forms have theirs; otherwise add an item such as
          Content-Type:application/sql.
          It is read to its end. Use --ignore-stdin in scripts whose standard input is not for the command, as in a
          loop of while read.

        OUTPUT
          The body of the response goes to the standard output: unchanged to a pipe or a file, as formatted JSON with
          colors to a terminal. Everything else goes to the standard error, except the output of --include, --curl and
          head. A status of 400 or more is an error: it has its own exit code, and --output does not write the file.

        SECRETS
          All users of the machine can see command lines. --bearer and --basic take env:NAME for a variable and
          file:PATH for a file instead of the secret, and an item Name:@PATH takes a header from a file. --verbose,
          --curl and recordings do not contain them.
        """ + Connection.help
}

extension HTTPJob {
    /// From the arguments of ``Command/http(_:)``, or of `command`, which sends no fields.
    init(_ method: HTTPMethod, _ arguments: inout Arguments, command: String? = nil) throws {
        guard let target = arguments.next() else { throw UsageError.missingArgument("The URL") }
        var texts: [String] = []
        while let text = arguments.next() { texts.append(text) }
        try self.init(method, to: target, items: texts, arguments, command: command)
    }

    init(
        _ method: HTTPMethod,
        to target: String,
        items texts: [String],
        _ arguments: Arguments,
        command: String? = nil
    ) throws {
        self.method = method
        url = try URL(argument: target, isSocket: command == "socket")
        items = try RequestItems(texts, isForm: arguments.has(.form))
        body = arguments.value(.body)
        if let field = items.firstField { try checkField(field, command: command) }
        if body != nil, items.isForm { throw UsageError.conflict(Option.body.name, Option.form.name) }
        let hasBody = body != nil || items.firstField != nil || items.isForm
        if [.post, .put, .patch, .query].contains(method), command == nil, !hasBody {
            takesInput = !arguments.has(.ignoreInput)
        }
        connection = try Connection(arguments)
        bearer = arguments.value(.bearer).map(Secret.init)
        basic = arguments.value(.basic).map(Secret.init)
        if bearer != nil, basic != nil { throw UsageError.conflict(Option.bearer.name, Option.basic.name) }
        retries = try arguments.number(.retry, in: 0...100) ?? 0
        let limit = arguments.has(.idle) ? Option.idle : .timeout
        timeout = try arguments.value(limit, expected: "seconds, more than 0 and at most 86400") {
            Double($0).flatMap { $0 > 0 && $0 <= 86_400 ? $0 : nil }
        }
        followsRedirects = !arguments.has(.noRedirects)
        file = arguments.value(.output).flatMap { $0 == "-" ? nil : $0 }
        extras = Set([.curl, .include, .pretty, .timings, .verbose].filter(arguments.has))
    }

    /// Refuses a field where the request has no body or another one.
    private func checkField(_ field: RequestItem, command: String?) throws {
        let item = "\(field.prefix)…"
        guard method != .get, method != .head, command == nil else {
            let reason = command == "upload" ? "no field, because the file is the body" : "no body"
            let name = command ?? method.rawValue.lowercased()
            throw UsageError.badValue(name, item, "\(reason); use \(field.name)==… for a query item")
        }
        guard body == nil else { throw UsageError.conflict(Option.body.name, item) }
    }
}

extension URL {
    /// A URL as typed by a person: without a scheme, or without a host.
    fileprivate init(argument text: String, isSocket: Bool) throws {
        var address = text.hasPrefix(":") ? "localhost\(text.hasPrefix(":/") ? String(text.dropFirst()) : text)" : text
        if address.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) == nil {
            let isLocal = ["localhost", "127.", "[::1]"].contains { address.hasPrefix($0) }
            address = (isLocal ? "http://" : "https://") + address
        }
        if isSocket { address = address.withHTTPScheme }
        let location = address.prefix { $0 != "#" }
        guard let url = URL(string: String(location)), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { throw UsageError.badValue("URL", text, "a URL, such as https://example.com/path") }
        self = url
    }
}

extension Option {
    static let body = Option("--body", value: "FILE", "send the bytes of a file; - is the standard input")
    static let ignoreInput = Option("--ignore-stdin", "do not send the standard input")
    static let form = Option("--form", short: "-f", "send the fields as a form, and not as JSON")
    static let bearer = Option("--bearer", value: "TOKEN", "the access token; also env:NAME or file:PATH")
    static let basic = Option("--basic", value: "USER:PASSWORD", "the user and password; also env:NAME or file:PATH")
    static let retry = Option("--retry", value: "N", "retry at most N times; POST, PATCH only with an Idempotency-Key")
    static let timeout = Option("--timeout", value: "SECONDS", "the limit of an attempt (3600, or 60 without a byte)")
    static let idle = Option("--timeout", value: "SECONDS", "the limit without a byte (60)")
    static let noRedirects = Option("--no-redirects", "show a redirect, and do not follow it")
    static let output = Option("--output", short: "-o", value: "FILE", "write the body of the response to a file")
    static let include = Option("--include", short: "-i", "print the status and the headers before the body")
    static let pretty = Option("--pretty", "format JSON also in a pipe")
    static let timings = Option("--timings", "chart the phases of the call")
    static let verbose = Option("--verbose", short: "-v", "print the headers of request and response, and all attempts")
    static let curl = Option("--curl", "print the call as a curl command, and do not send it")
}
