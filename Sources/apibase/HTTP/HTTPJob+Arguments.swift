import APIBaseKit

extension HTTPJob {
    /// From the arguments of ``Command/http(_:)``.
    ///
    /// `command` is the name of one whose items are headers and items of the query only.
    init(_ method: HTTPMethod, _ arguments: inout Arguments, command: String? = nil) throws(UsageError) {
        guard let target = arguments.next() else { throw .missingArgument("The URL") }
        var texts: [String] = []
        while let text = arguments.next() { texts.append(text) }
        try self.init(method, to: target, items: texts, arguments, command: command)
    }

    /// From a URL, items and options.
    init(
        _ method: HTTPMethod,
        to target: String,
        items texts: [String],
        _ arguments: Arguments,
        command: String? = nil
    ) throws(UsageError) {
        self.method = method
        url = try URL(argument: target)
        items = try RequestItems(texts, isForm: arguments.has(.form))
        body = arguments.value(.body)
        if let field = items.firstField {
            guard method != .get, method != .head, command == nil else {
                throw .badValue(
                    option: command ?? method.rawValue.lowercased(),
                    value: "\(field.name)\(field.separator.rawValue)…",
                    expected:
                        "\(command == "upload" ? "the file is the body" : "it sends no body"); \(field.name)==… is an item of the query"
                )
            }
            guard body == nil else {
                throw .notTogether(Option.body.name, "\(field.name)\(field.separator.rawValue)…")
            }
        }
        if body != nil, items.isForm { throw .notTogether(Option.body.name, Option.form.name) }
        if [.post, .put, .patch].contains(method), command == nil, body == nil, items.firstField == nil, !items.isForm {
            takesInput = !arguments.has(.ignoreInput)
        }
        connection = try Connection(arguments)
        switch (arguments.value(.bearer), arguments.value(.basic)) {
        case (_?, _?): throw .notTogether(Option.bearer.name, Option.basic.name)
        case (let token?, nil): credentials = .bearer(Secret(token))
        case (nil, let text?): credentials = .basic(Secret(text))
        case (nil, nil): credentials = nil
        }
        retries = try arguments.number(.retry, in: 0...100) ?? 0
        timeout = try arguments.seconds(arguments.has(.idle) ? .idle : .timeout)
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
        case .pretty: .pretty
        case .timings: .timings
        case .verbose: .verbose
        }
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
