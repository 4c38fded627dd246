import APIBaseKit
import DemoServer
import TestTiers
import Testing

@testable import apibase

/// `record`, and `--replay` without a server.
@Suite(.limited) struct RecordingFileTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")

    /// The report without durations.
    private func steps(_ report: [String]) -> [String] {
        report.filter { $0.hasPrefix("  ") }.map { $0.replacing(/\ +[0-9.]+\ ms/, with: "") }
    }

    private func entries(_ text: String) -> Int { text.components(separatedBy: "\"request\" : ").count - 1 }

    @Test func `A recorded demo run replays without a server and prints the same report`() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let live = await run("record", "--out", file.path)
        #expect(live.code == 0)
        let replay = await run("--replay", file.path)
        #expect(replay.code == 0)
        #expect(replay.errors.isEmpty)
        #expect(replay.lines.first == "\(file.lastPathComponent) answers instead of a server")
        #expect(steps(replay.lines) == steps(live.lines))
        #expect(steps(live.lines).count == 12)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(entries(text) == 12)
        #expect(!text.contains("password123"))
    }

    @Test(arguments: [
        ["users", "3"], ["posts", "--user", "2", "--json"], ["photos", "--search", "a"], ["apps", "--count", "3"],
        ["todos", "add", "A title"],
    ])
    func `An apibase command replayed from its recording prints the same output`(arguments: [String]) async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let live = await run(["record", "--out", file.path] + arguments)
        let replay = await run(arguments + ["--replay", file.path])
        #expect(live.code == 0)
        #expect(live.errors.isEmpty)
        #expect(!live.output.isEmpty)
        #expect(replay == live)
    }

    @Test func `Replaying a recorded 401 response gives the exit code 4 and error of the recorded run`() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let server = DemoAPIServer()
        let url = try server.start().absoluteString
        let call = ["todos", "--email", "nobody@example.com", "--password", "wrong-password", "--base-url", url]
        let live = await run(["record", "--out", file.path] + call)
        server.stop()
        let replay = await run(["--replay", file.path] + call)
        #expect(live.code == 4)
        #expect(live.errors.contains("status 401"))
        #expect(replay.code == 4)
        #expect(replay.errors == live.errors)
    }

    @Test func `Recording to the same file again replaces the first recording`() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        for _ in 0..<2 { #expect(await run("record", "--out", file.path, "users").code == 0) }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(entries(text) == 1)
    }

    @Test func `Replaying a request that is not in the recording exits with 1 and names the request`() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(await run("record", "--out", file.path, "users", "3").code == 0)
        let outcome = await run("users", "4", "--replay", file.path)
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("apibase: No entry of \(file.lastPathComponent) answers GET "))
        #expect(outcome.errors.contains("“/jsonplaceholder/users/4”, not “/jsonplaceholder/users/3”"))
    }

    @Test func `The option --replay exits with 1 when the recording file does not exist`() async {
        let outcome = await run("users", "--replay", file.path)
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("apibase: There is no recording at \(file.path) to replay."))
    }
}
