import Foundation

/// A process whose lines are read, and which reads lines.
public final class Program: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let ends: AsyncStream<Void>
    private let lines: LineReader

    /// Starts it.
    public init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardInput, process.standardOutput) = (input, output)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        self.ends = ends
        process.terminationHandler = { _ in end.finish() }
        lines = LineReader(output.fileHandleForReading)
        try process.run()
    }

    /// The next line that it writes; `nil` if it has ended.
    public func line() async -> String? { await lines.next() }

    /// Writes a line to it.
    public func send(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Sends it a signal.
    public func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }

    /// Waits for its end.
    public func end() async { for await _ in ends {} }
}

/// Reads lines on a thread of its own, until the end.
private final class LineReader: Sendable {
    private let stream: AsyncStream<String>

    init(_ file: FileHandle) {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        Thread.detachNewThread {
            var rest = Data()
            while case let data = file.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            continuation.finish()
        }
    }

    func next() async -> String? { await stream.first { _ in true } }
}
