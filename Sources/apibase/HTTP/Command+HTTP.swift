import APIBaseKit

extension Command {
    /// The command that sends a request of this method to any server.
    static func http(_ method: HTTPMethod) -> Command {
        let hasBody = method != .get && method != .head
        return Command(
            name: method.rawValue.lowercased(),
            operands: "URL [ITEM …]",
            summary: summaries[method] ?? "send a request",
            details: details,
            options: (hasBody ? [.body, .form] : []) + [
                .bearer, .basic, .retry, .timeout, .noRedirects, .output, .include, .timings, .verbose, .curl, .record,
                .replay,
            ]
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

        OUTPUT
          The body of the reply goes to the standard output: as it is into a pipe or a file; on a terminal, JSON with colours and
          a line for each member. Everything else goes to the standard error; only what --include, --curl and head print is
          output, too. A status from 400 on is an error: it has an exit code of its own, and --output does not write the file.

        SECRETS
          Command lines are seen by everybody on the machine. --bearer and --basic take env:NAME for a variable and file:PATH
          for a file instead of the secret, and an item Name:@PATH a header. --verbose, --curl and recordings do not show them.
        """
}

extension HTTPJob {
    /// From the arguments of ``Command/http(_:)``.
    init(_ method: HTTPMethod, _ arguments: inout Arguments) throws(UsageError) {
        guard let target = arguments.next() else { throw .missingArgument("The URL") }
        var texts: [String] = []
        while let text = arguments.next() { texts.append(text) }
        self.method = method
        url = try URL(argument: target)
        items = try RequestItems(texts, isForm: arguments.has(.form))
        body = arguments.value(.body)
        if let field = items.firstField {
            guard method != .get, method != .head else {
                throw .badValue(
                    option: method.rawValue.lowercased(),
                    value: "\(field.name)\(field.separator.rawValue)…",
                    expected: "it sends no body; \(field.name)==… is an item of the query"
                )
            }
            guard body == nil else {
                throw .notTogether(Option.body.name, "\(field.name)\(field.separator.rawValue)…")
            }
        }
        if body != nil, items.isForm { throw .notTogether(Option.body.name, Option.form.name) }
        switch (arguments.value(.bearer), arguments.value(.basic)) {
        case (_?, _?): throw .notTogether(Option.bearer.name, Option.basic.name)
        case (let token?, nil): credentials = .bearer(Secret(token))
        case (nil, let text?): credentials = .basic(Secret(text))
        case (nil, nil): credentials = nil
        }
        retries = try arguments.number(.retry, in: 0...100) ?? 0
        timeout = try arguments.seconds(.timeout)
        followsRedirects = !arguments.has(.noRedirects)
        file = arguments.value(.output).flatMap { $0 == "-" ? nil : $0 }
        extras = Set(Extra.allCases.filter { arguments.has($0.option) })
    }
}

extension HTTPJob.Extra {
    fileprivate var option: Option {
        switch self {
        case .curl: .curl
        case .head: .include
        case .timings: .timings
        case .verbose: .verbose
        }
    }
}

extension URL {
    /// A URL as people type it.
    fileprivate init(argument text: String) throws(UsageError) {
        var address = text.hasPrefix(":") ? "localhost\(text.hasPrefix(":/") ? String(text.dropFirst()) : text)" : text
        if !address.contains("://") {
            let isNear = ["localhost", "127.", "[::1]"].contains { address.hasPrefix($0) }
            address = (isNear ? "http://" : "https://") + address
        }
        let location = address.prefix { $0 != "#" }
        guard let url = URL(string: String(location)), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { throw .badValue(option: "URL", value: text, expected: "a URL, such as https://example.com/path") }
        self = url
    }
}

extension Arguments {
    /// The value of this option as seconds, with or without a fraction.
    fileprivate func seconds(_ option: Option) throws(UsageError) -> Double? {
        guard let text = value(option) else { return nil }
        guard let number = Double(text), number > 0, number <= 86_400 else {
            throw .badValue(option: option.name, value: text, expected: "seconds, more than 0 and at most 86400")
        }
        return number
    }
}
