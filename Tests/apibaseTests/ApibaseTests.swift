import APIBaseKit
import DemoServer
import Basics
import Testing

@testable import apibase

/// What the command prints and how it exits.
@Suite(.timeLimit(.minutes(5))) struct ApibaseTests {
    private func run(_ arguments: String...) async -> (code: Int32, output: String, errors: String) {
        let output = Locked<[String]>([])
        let errors = Locked<[String]>([])
        let code = await Apibase.run(
            arguments,
            output: Output(
                line: { line in output.withLock { $0.append(line) } },
                error: { line in errors.withLock { $0.append(line) } }
            )
        )
        return (code, output.withLock { $0 }.joined(separator: "\n"), errors.withLock { $0 }.joined(separator: "\n"))
    }

    @Test func theMainJobReportsEveryRequest() async {
        let (code, output, errors) = await run()
        #expect(code == 0)
        #expect(errors.isEmpty)
        for part in [
            "GET    /jsonplaceholder/users ", "POST   /jsonplaceholder/posts ", "GET    /unsplash/photos?page=1",
            "GET    /unsplash/search/photos?query=book%20at%20night",
            "GET    /rss/api/v2/us/apps/top-free/10/apps.json", "POST   /users ", "POST   /login ",
            "POST   /todos ", "GET    /todos ", "DELETE /todos/1 ", "Every call went as it should.",
        ] {
            #expect(output.contains(part), "\(part) is missing")
        }
        #expect(!output.contains("FAILED"))
        #expect(!output.contains("---"))
    }

    /// Port 1 is outside the range that a server with any free port gets: nothing can take it between two tests.
    @Test func aStepThatFailsIsReportedAndFailsTheJob() async throws {
        let closed = try #require(URL(string: "http://127.0.0.1:1"))
        let lines = Locked<[String]>([])
        let errors = Locked<[String]>([])
        let demo = Demo(
            output: Output(
                line: { line in lines.withLock { $0.append(line) } },
                error: { line in errors.withLock { $0.append(line) } }
            )
        )
        #expect(await !demo.run(at: closed))
        #expect(lines.withLock { $0 }.count { $0.contains("FAILED: No connection could be made") } == 8)
        #expect(errors.withLock { $0 } == ["apibase: 8 of 8 calls failed."])
    }

    @Test(arguments: [
        (["users"], "User 1"), (["users", "3"], "3\tUser 3"), (["posts", "--user", "1"], "10\t"), (["photos"], "×"),
        (["photos", "--search", "photo"], ""), (["apps"], ", by "), (["todos", "add", "A title"], "1\tA title"),
        (["todos"], "(none)"),
    ])
    func aCallPrintsALineForEachThing(arguments: [String], part: String) async {
        let output = Locked<[String]>([])
        let code = await Apibase.run(
            arguments,
            output: Output(
                line: { line in output.withLock { $0.append(line) } },
                error: { Issue.record("\($0)") }
            )
        )
        #expect(code == 0)
        #expect(part.isEmpty || output.withLock { $0 }.joined(separator: "\n").contains(part))
    }

    @Test func jsonIsJSON() async throws {
        let (code, output, _) = await run("users", "--json")
        #expect(code == 0)
        let users = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]]
        #expect(users?.count == 10)
    }

    @Test func wrongArgumentsExitWith2() async {
        let (code, output, errors) = await run("nothing")
        #expect(code == 2)
        #expect(output.isEmpty)
        #expect(errors == "apibase: there is no command “nothing”.\nTry “apibase --help”.")
    }

    @Test func aServerThatIsNotThereExitsWith1() async throws {
        let (code, output, errors) = await run("users", "--base-url", "http://127.0.0.1:1")
        #expect(code == 1)
        #expect(output.isEmpty)
        #expect(errors.hasPrefix("apibase: "))
    }

    @Test func aRefusalIsPrintedWithItsReason() async throws {
        let server = DemoAPIServer()
        let url = try server.start().absoluteString
        defer { server.stop() }
        let (code, _, errors) = await run(
            "todos",
            "--base-url",
            url,
            "--email",
            "nobody@example.com",
            "--password",
            "x"
        )
        #expect(code == 1)
        #expect(errors.contains("has status 401."))
    }

    @Test func helpAndVersionExitWith0() async {
        #expect(await run("--help").output.contains("USAGE"))
        #expect(await run("--version").code == 0)
    }

    @Test func aPortThatIsTakenIsSaidToBe() async throws {
        let server = DemoAPIServer()
        let port = try server.start().port ?? 0
        defer { server.stop() }
        let (code, _, errors) = await run("serve", "--port", String(port))
        #expect(code == 1)
        #expect(errors.contains(String(port)))
    }
}
