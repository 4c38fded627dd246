import Foundation
import Harness

/// What a client does once, and the results of its rounds.
struct Job {
    /// The messages of a round.
    static let messages = 100_000
    /// A message of 100 bytes.
    static let text = #"{"id":12345,"text":""# + String(repeating: "message ", count: 10).dropLast(2) + #""}"#

    let client: String
    let isSending: Bool
    let run: (_ port: Int) async throws -> Cost?

    /// Messages per second, and processor time of one, in microseconds.
    typealias Cost = (rate: Double, processor: Double)

    init(_ client: String, isSending: Bool = false, run: @escaping (_ port: Int) async throws -> Void) {
        self.client = client
        self.isSending = isSending
        self.run = { port in
            let (start, processor) = (ContinuousClock.now, Self.processorTime)
            try await run(port)
            let count = Double(Self.messages)
            return (count / ((.now - start) / .seconds(1)), (Self.processorTime - processor) / count * 1e6)
        }
    }

    /// Python's `websockets`; no cost without it.
    init(pythonSending isSending: Bool) {
        client = "`websockets` of Python"
        self.isSending = isSending
        run = { port in
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            let script = folder.appendingPathComponent("client.py")
            let direction = isSending ? "count" : "send"
            let words = ["python3", script.path, direction, "\(port)", "\(Self.messages)", Self.text]
            let python = try Child("/usr/bin/env", words)
            let numbers = python.text().split(separator: " ").compactMap { Double($0) }
            return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
        }
    }

    /// Of this process, in seconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A process that ends with its standard input.
final class Child {
    private let (process, input, output) = (Process(), Pipe(), Pipe())

    init(_ path: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    /// The first line that it prints.
    func line() -> String {
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        return line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// All that it prints.
    func text() -> String {
        let text = try? output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return text.map { String(decoding: $0, as: UTF8.self) }?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    func end() { try? input.fileHandleForWriting.close() }
}
