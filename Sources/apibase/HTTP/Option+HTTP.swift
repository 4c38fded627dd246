extension Option {
    static let body = Option("--body", value: "FILE", "send the bytes of a file; - is the standard input")
    static let ignoreInput = Option("--ignore-stdin", "send no body from the standard input")
    static let form = Option("--form", short: "-f", "send the fields as a form, and not as JSON")
    static let bearer = Option("--bearer", value: "TOKEN", "say who is calling: a token, env:NAME or file:PATH")
    static let basic = Option("--basic", value: "USER:PASSWORD", "say who is calling; also env:NAME or file:PATH")
    static let retry = Option(
        "--retry",
        value: "N",
        "try again, at most N times; POST and PATCH only with an Idempotency-Key"
    )
    static let timeout = Option(
        "--timeout",
        value: "SECONDS",
        "for one attempt (an hour, and 60 seconds without a byte)"
    )
    static let idle = Option("--timeout", value: "SECONDS", "without a byte (60)")
    static let noRedirects = Option("--no-redirects", "show a redirect, and do not follow it")
    static let output = Option("--output", short: "-o", value: "FILE", "write the body of the reply to a file")
    static let include = Option("--include", short: "-i", "print the status and the headers before the body")
    static let pretty = Option("--pretty", "print JSON with a line for each member, also into a pipe")
    static let timings = Option("--timings", "chart what the time went into")
    static let verbose = Option("--verbose", short: "-v", "tell the headers of request and reply, and all attempts")
    static let curl = Option("--curl", "print the call as a command of curl, and do not send it")
}
