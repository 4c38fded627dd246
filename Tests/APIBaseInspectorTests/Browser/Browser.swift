#if os(Linux)
import APIBaseKit
import Basics
import Foundation
import HostileServer
import Testing

/// A Chromium without a window. It is driven by the messages of its developer tools, which go through two pipes.
final class Browser: Sendable {
    /// The browser of the suite.
    @TaskLocal static var current: Browser?

    private static let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool { program != nil }

    /// What the browser said instead of a result.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var lastID = 0
        var waiting: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
        var events: [JSONValue] = []
        var hasEnded = false
    }

    private let state = Locked(State())
    private let folder: URL
    private let process: ChildProcess
    private let commands: FileHandle
    private let messages: FileHandle

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipes = ["commands", "messages"].map { folder.appendingPathComponent($0) }
        for pipe in pipes where mkfifo(pipe.path, 0o600) != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let script = #"exec "$0" "$@" 3<"$COMMANDS" 4>"$MESSAGES""#
        let options = [
            "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            "--user-data-dir=\(folder.appendingPathComponent("profile").path)", "--window-size=1280,800",
        ]
        process = try ChildProcess(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", script, Self.program ?? "chromium"] + options,
            environment: ["COMMANDS": pipes[0].path, "MESSAGES": pipes[1].path]
        )
        // Each waits until the shell has opened the other end.
        commands = try FileHandle(forWritingTo: pipes[0])
        messages = try FileHandle(forReadingFrom: pipes[1])
        Thread.detachNewThread { self.readMessages() }
    }

    /// Ends the browser, and removes its files.
    func close() async throws {
        _ = try await send("Browser.close")
        _ = process.wait()
        try FileManager.default.removeItem(at: folder)
    }

    /// Sends a command, and waits for its result, at most a minute.
    func send(_ method: String, _ parameters: JSONValue = [:], to session: String? = nil) async throws -> JSONValue {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        var command: [String: JSONValue] = ["method": .string(method), "params": parameters]
        command["id"] = .integer(Int64(id))
        command["sessionId"] = session.map { .string($0) }
        let bytes = try JSONEncoder().encode(command) + [0]
        let answer = try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.waiting[id] = continuation }
            DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
                self.finish(id, .failure(.noAnswer(to: method)))
            }
            if state.withLock({ $0.hasEnded }) { return finish(id, .failure(.noAnswer(to: method))) }
            do { try commands.write(contentsOf: bytes) } catch { finish(id, .failure(.noAnswer(to: method))) }
        }
        if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
        return answer["result"] ?? .null
    }

    /// The parameters of all events of a session with this name.
    func events(_ method: String, of session: String) -> [JSONValue] {
        state.withLock { $0.events }
            .filter { $0["sessionId"]?.string == session && $0["method"]?.string == method }
            .compactMap { $0["params"] }
    }

    /// Reads messages, each of which ends with a zero byte, until the browser ends.
    private func readMessages() {
        var rest = Data()
        while case let piece = messages.availableData, !piece.isEmpty {
            rest += piece
            while let end = rest.firstIndex(of: 0) {
                if let message = try? JSONDecoder().decode(JSONValue.self, from: rest[..<end]) { take(message) }
                rest = Data(rest[(end + 1)...])
            }
        }
        let waiting = state.withLock { state in
            state.hasEnded = true
            return state.waiting.keys
        }
        for id in waiting { finish(id, .failure(Failure(description: "The browser has ended."))) }
    }

    private func take(_ message: JSONValue) {
        if let id = message["id"]?.integer {
            finish(Int(id), .success(message))
        } else {
            state.withLock { $0.events.append(message) }
        }
    }

    private func finish(_ id: Int, _ answer: Result<JSONValue, Failure>) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(with: answer.mapError { $0 })
    }
}

extension Browser.Failure {
    fileprivate static func noAnswer(to method: String) -> Self { Self(description: "No answer to \(method).") }
}

/// Starts the browser before the tests of a suite, and ends it after them.
struct BrowserTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let browser = try Browser()
        let result: Result<Void, any Error>
        do { result = .success(try await Browser.$current.withValue(browser, operation: function)) } catch {
            result = .failure(error)
        }
        try await browser.close()
        try result.get()
    }
}

extension Trait where Self == BrowserTrait {
    /// One browser for all tests of the suite.
    static var browser: Self { Self() }
}
#endif
