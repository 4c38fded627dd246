#if os(Linux) && !canImport(Combine)
import APIBaseStubs
import Basics
import Foundation
import HostileServer

/// Uses numbers and times at the ends of their ranges, each in a real call. A trap ends the process.
///
/// Prints a line for each: its name, a tab, and `right` or the wrong and the expected result.
enum Extremes {
    /// A value of a setting, its use, and the expected result.
    struct Row: Sendable {
        let name: String
        let expected: String
        let use: @Sendable () async throws -> String
    }

    /// The results for the first four of five values, and for the last.
    static let timeouts = Array(repeating: "timedOut", count: 4) + ["200, 3"]
    static let overLimit = Array(repeating: "over the limit", count: 4) + ["200, 3"]

    static let integers: [(String, Int)] = [("min", .min), ("-1", -1), ("0", 0), ("1", 1), ("max", .max)]
    static let durations: [(String, Duration)] = [
        ("min", .seconds(-1e19)), ("-1 ns", .nanoseconds(-1)), ("0", .zero), ("1 ns", .nanoseconds(1)),
        ("max", .seconds(1e19)),
    ]
    static let numbers: [(String, Double)] = [
        ("-infinity", -.infinity), ("-1", -1), ("0", 0), ("least", .leastNonzeroMagnitude),
        ("greatest", .greatestFiniteMagnitude), ("infinity", .infinity), ("nan", .nan),
    ]

    /// A row for each value, with its expected result, or with the same one for all.
    static func rows<Value: Sendable>(
        _ name: String,
        _ values: [(String, Value)],
        _ outcomes: String...,
        use: @escaping @Sendable (Value) async throws -> String
    ) -> [Row] {
        rows(name, values, outcomes, use: use)
    }

    static func rows<Value: Sendable>(
        _ name: String,
        _ values: [(String, Value)],
        _ outcomes: [String],
        use: @escaping @Sendable (Value) async throws -> String
    ) -> [Row] {
        values.enumerated().map { index, value in
            let expected = outcomes.count == 1 ? outcomes[0] : outcomes[index]
            return Row(name: "\(name) \(value.0)", expected: expected) { try await use(value.1) }
        }
    }

    static func all(_ rows: [Row]...) -> [Row] { rows.flatMap(\.self) }

    static func run(_ part: String) async {
        let parts = [
            "stubs": stubs, "calls": calls, "retries": retries, "gates": gates, "bodies": bodies, "caches": caches,
            "transport": transport, "combine": combine, "json": json, "server": server,
        ]
        for row in parts[part] ?? [] {
            let outcome = await bounded(row.use)
            say("\(row.name)\t\(outcome == row.expected ? "right" : "“\(outcome)”, not “\(row.expected)”")")
        }
        exit(0)
    }

    private static func bounded(_ use: @escaping @Sendable () async throws -> String) async -> String {
        let result = Later<String>()
        let task = Task {
            do { result.set(try await use()) } catch { result.set(text(of: error)) }
        }
        defer { task.cancel() }
        return (try? await result.value(within: 20)) ?? "no end"
    }

    /// An error without the parts that differ between runs.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as TransportError: kind(of: error.reason)
        case RequestError.httpFailure(let failure): "\(failure.statusCode)"
        case RequestError.invalidRequest: "invalidRequest"
        case let error as RequestError: error.localizedDescription
        case let error as StubProblem: "\(error)".split(separator: "\n")[0].description
        default: "\(type(of: error))"
        }
    }

    private static func kind(of reason: TransportError.Reason) -> String {
        switch reason {
        case .timedOut: "timedOut"
        case .connectionLost: "connectionLost"
        case .malformedResponse: "malformedResponse"
        case .bodyLength: "bodyLength"
        case .tooLarge: "over the limit"
        case .invalidRequest: "invalidRequest"
        default: "\(reason)"
        }
    }

    /// A call whose value is the status and the length of the response.
    class Plain: JSONAPI, Request, @unchecked Sendable {
        override init() {
            super.init()
            baseURL = URL(string: "http://api.example")
            path = "/x"
            acceptedTypes = ["*/*"]
        }

        func start() -> AnyPublisher<String, any Error> {
            sendRequest().map { "\($0.response.statusCode), \($0.data.count)" }.eraseToAnyPublisher()
        }

        override func accepts(_ response: HTTPURLResponse) -> Bool { true }
    }

    /// The result of a stubbed call, and how often it was sent.
    static func outcome(
        _ answers: StubAnswer...,
        change: (Plain) -> Void = { _ in }
    ) async throws -> String {
        let stubs = Stubs()
        let stub = stubs.on()
        stub.answer { _ in answers[min(stub.callCount, answers.count) - 1] }
        let call = Plain()
        call.session = stubs
        change(call)
        let result: String
        do { result = try await call.value() } catch { result = text(of: error) }
        return stubs.calls.count == 1 ? result : "\(result), sent \(stubs.calls.count) times"
    }
}
#endif
