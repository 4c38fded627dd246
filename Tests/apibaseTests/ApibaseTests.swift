import APIBaseKit
import DemoServer
import TestTiers
import Testing

@testable import apibase

/// The output and the exit codes of the command.
@Suite(.limited) struct ApibaseTests {
    @Test func `The apibase command without arguments calls each demo API and reports every request`() async {
        let outcome = await run()
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        for part in [
            "GET    /jsonplaceholder/users ", "POST   /jsonplaceholder/posts ", "GET    /unsplash/photos?page=1",
            "GET    /unsplash/search/photos?query=book%20at%20night",
            "GET    /rss/api/v2/us/apps/top-free/10/apps.json", "POST   /users ", "POST   /login ",
            "POST   /todos ", "GET    /todos ", "DELETE /todos/1 ", "Every call went as it should.",
        ] {
            #expect(outcome.output.contains(part), "\(part) is missing")
        }
        #expect(!outcome.output.contains("FAILED"))
        #expect(!outcome.output.contains("---"))
    }

    /// Port 1 is outside the range of free ports, so no other test can take it.
    @Test func `The demo run of apibase reports each failed call when the server cannot be reached`() async throws {
        let closed = try #require(URL(string: "http://127.0.0.1:1"))
        let (out, err) = (Written(), Written())
        let demo = Demo(Context(output: Output(out: out.channel(), err: err.channel())))
        #expect(await !demo.run(at: closed))
        #expect(out.text.components(separatedBy: "FAILED: No connection could be made").count == 9)
        #expect(err.text == "apibase: 8 of 8 calls failed.\n")
    }

    @Test(arguments: [
        (["users"], "User 1"), (["users", "3"], "3\tUser 3"), (["posts", "--user", "1"], "10\t"), (["photos"], "×"),
        (["photos", "--search", "photo"], ""), (["apps"], ", by "), (["todos", "add", "A title"], "1\tA title"),
        (["todos"], "(none)"),
    ])
    func `The users, posts, photos, apps and todos commands print results as lines and exit with 0`(
        arguments: [String],
        part: String
    ) async {
        let outcome = await run(arguments)
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        #expect(part.isEmpty || outcome.output.contains(part))
    }

    @Test func `The users command with --json prints valid JSON`() async throws {
        let outcome = await run("users", "--json")
        #expect(outcome.code == 0)
        let users = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        #expect(users?.count == 10)
    }

    @Test func `An unknown apibase command exits with 2 and an error that points to --help`() async {
        let outcome = await run("nothing")
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "apibase: there is no command “nothing”.\nTry “apibase --help”.\n")
    }

    @Test func `An apibase command exits with 1 and an error when the server cannot be reached`() async throws {
        let outcome = await run("users", "--base-url", "http://127.0.0.1:1")
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("apibase: "))
    }

    @Test func `The todos command with a wrong password exits with 4 and an error with status 401`() async throws {
        let server = DemoAPIServer()
        let url = try server.start().absoluteString
        defer { server.stop() }
        let outcome = await run(
            "todos",
            "--base-url",
            url,
            "--email",
            "nobody@example.com",
            "--password",
            "x"
        )
        #expect(outcome.code == 4)
        #expect(outcome.errors.contains("has status 401."))
    }

    @Test func `The apibase option --help prints the usage, and --version prints the version`() async {
        #expect(await run("--help").output.contains("USAGE"))
        #expect(await run("--version") == Outcome(code: 0, output: "apibase \(PackageVersion.number)\n", errors: ""))
    }

    @Test func `The serve command exits with 1 and names the port when the port is in use`() async throws {
        let server = DemoAPIServer()
        let port = try server.start().port ?? 0
        defer { server.stop() }
        let outcome = await run("serve", "--port", String(port))
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(String(port)))
    }
}
