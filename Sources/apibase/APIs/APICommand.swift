import APIBaseKit

/// One call of one of the four APIs.
protocol APICommand: Equatable, Sendable {
    static var api: API { get }

    func run(_ output: CallOutput) async throws
}

struct APIJob<Call: APICommand>: Job {
    let call: Call
    let target: Target
    var json = false

    func run(_ context: Context) async throws -> Int32 {
        try await target.reach(Call.api, startsServer: !context.isReplay) { url in
            let isLoopback = ["127.0.0.1", "localhost"].contains(url?.host)
            let output = CallOutput(output: context.output, json: json, anyKey: context.isReplay || isLoopback)
            try await context.recorded {
                guard let url else { return try await call.run(output) }
                try await Call.api.base.withBaseURL(url) { try await call.run(output) }
            }
        }
        return ExitCode.success
    }
}

struct CallOutput {
    let output: Output
    let json: Bool
    /// Whether the server accepts any access key, as the demo server does.
    let anyKey: Bool

    func show<Value: Encodable>(_ value: Value, _ summary: (Value) -> String) throws {
        json ? try output.json(value) : output.line(summary(value).forTerminal)
    }

    func show<Value: Encodable>(_ values: [Value], _ summary: (Value) -> String) throws {
        guard !json else { return try output.json(values) }
        if values.isEmpty { output.line("(none)") }
        for value in values { output.line(summary(value).forTerminal) }
    }
}

extension Command {
    static func api<Call: APICommand>(
        _ name: String,
        _ operands: String = "",
        summary: String,
        details: String? = nil,
        options: [Option] = [],
        _ call: @escaping @Sendable (inout Arguments) throws -> Call
    ) -> Command {
        Command(
            name: name,
            operands: operands,
            summary: summary,
            details: [details, targets].compactMap(\.self).joined(separator: "\n\n"),
            options: options + [.json, .live, .baseURL, .record, .replay, .inspect]
        ) { arguments in
            let target = try Target(arguments)
            return APIJob(call: try call(&arguments), target: target, json: arguments.has(.json))
        }
    }

    private static let targets = """
        By default, the call goes to a demo server that runs only for it. --live calls the real host, --base-url another
        server. On a running demo server, each API has its own path, such as http://localhost:8080/unsplash.
        """
}

extension Option {
    static let json = Option("--json", "print JSON")
}
