import APIBaseKit

/// One call of one of the four APIs, as the command line asks for it.
protocol APICall: Equatable, Sendable {
    /// The API that the call belongs to.
    static var api: API { get }

    /// Makes the call, and writes what it gives.
    ///
    /// - Parameters:
    ///   - output: Where to write, and whether it is to be JSON.
    ///   - anyKey: Whether nobody asks for a key: the demo server takes any.
    /// - Throws: What the call failed with.
    func run(_ output: CallOutput, anyKey: Bool) async throws
}

/// A call, with where it goes and what it prints.
struct APIJob<Call: APICall>: Job {
    let call: Call
    let target: Target
    var json = false

    func run(_ context: Context) async throws -> Int32 {
        let isReplay = context.recording?.isReplay == true
        let output = CallOutput(output: context.output, json: json)
        try await target.reach(Call.api, startingServer: !isReplay) { url in
            try await context.recorded {
                guard let url else { return try await call.run(output, anyKey: isReplay) }
                try await Call.api.base.withBaseURL(url) {
                    try await call.run(output, anyKey: isReplay || url.isLoopback)
                }
            }
        }
        return ExitCode.success
    }
}

/// The output of a call, as JSON or as lines.
struct CallOutput {
    let output: Output
    /// Whether as JSON.
    let json: Bool

    /// Writes a value as JSON, or as a line.
    func show<Value: Encodable>(_ value: Value, _ summary: (Value) -> String) throws {
        json ? try output.json(value) : output.line(summary(value).withoutControls)
    }

    /// Writes values as JSON, or a line for each.
    func show<Value: Encodable>(_ values: [Value], _ summary: (Value) -> String) throws {
        guard !json else { return try output.json(values) }
        if values.isEmpty { output.line("(none)") }
        for value in values { output.line(summary(value).withoutControls) }
    }
}

extension Command {
    /// A command that makes a call of one of the four APIs.
    static func api<Call: APICall>(
        _ name: String,
        _ operands: String = "",
        summary: String,
        details: String? = nil,
        options: [Option] = [],
        _ call: @escaping @Sendable (inout Arguments) throws(UsageError) -> Call
    ) -> Command {
        Command(
            name: name,
            operands: operands,
            summary: summary,
            details: [details, whereCallsGo].compactMap(\.self).joined(separator: "\n\n"),
            options: options + [.json, .live, .baseURL, .record, .replay]
        ) { arguments throws(UsageError) in
            let target = try Target(arguments)
            return APIJob(call: try call(&arguments), target: target, json: arguments.has(.json))
        }
    }

    private static let whereCallsGo = """
        The call goes to a demo server that runs for it alone, unless --live or --base-url says otherwise: there a server of
        your own has the API below a path of its own, such as http://localhost:8080/unsplash.
        """
}

extension Option {
    static let json = Option("--json", "print JSON")
}

extension URL {
    fileprivate var isLoopback: Bool { host == "127.0.0.1" || host == "localhost" }
}
