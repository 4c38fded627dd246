import APIBaseKit
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import apibase

@Suite(.limited) struct PagesTests {
    @Test func `The pages command fetches all pages, or only the number given by --limit`() async throws {
        let lab = try Lab()
        let url = "\(lab.url)/jsonplaceholder/users?_page=1&_limit=4"
        let outcome = await run("pages", url)
        #expect(outcome.code == 0)
        let pages = try outcome.lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [Any] }
        #expect(pages.map { $0?.count } == [4, 4, 2])
        #expect(await run("pages", url, "--limit", "2").lines == Array(outcome.lines.prefix(2)))
        let shown = await run(["pages", url, "--limit", "1"], on: .make(hasColors: false))
        #expect(shown.output.hasPrefix("[\n  {\n    \"id\": 1,"))
    }

    @Test func `The pages command with --lines prints each element of all pages on a line`() async throws {
        let lab = try Lab()
        let lines = await run("pages", "\(lab.url)/jsonplaceholder/users?_page=1&_limit=4", "--lines").lines
        #expect(lines.count == 10)
        for (index, line) in lines.enumerated() { #expect(line.hasPrefix("{\"id\":\(index + 1),")) }
    }

    @Test func `The pages command exits with 4 and prints the body when a page has status 404`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let isFirst = request.target == "/"
            let link = "Link: </2>; rel=\"next\""
            try connection.write(isFirst ? reply("200 OK", [link], body: "[1]") : reply("404 Not Found", body: "why"))
        }
        defer { server.stop() }
        let outcome = await run("pages", server.url().absoluteString, "X-One:1", "--bearer", "t")
        #expect(outcome.code == 4)
        #expect(outcome.output == "[1]\nwhy")
        #expect(outcome.errors.hasSuffix("has status 404.\n"))
        #expect(
            server.requests.map { $0.values("X-One") + $0.values("Authorization") } == [
                ["1", "Bearer t"], ["1", "Bearer t"],
            ]
        )
    }

    @Test func `The pages command exits with 1 and does not fetch a next page from another origin`() async throws {
        let server = try ScriptedServer(
            always: reply("200 OK", ["Link: <http://127.0.0.1:1/2>; rel=next"], body: "[1]")
        )
        defer { server.stop() }
        let outcome = await run("pages", server.url().absoluteString)
        #expect(outcome.code == 1 && outcome.output == "[1]\n" && server.requests.count == 1)
        #expect(outcome.errors.contains("at another origin, http://127.0.0.1:1/2, and is not fetched"))
    }

    @Test func `The pages command with --lines exits with 1 when a page is not JSON`() async throws {
        let server = try ScriptedServer(always: reply(body: "text"))
        defer { server.stop() }
        let outcome = await run("pages", server.url().absoluteString, "--lines")
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(await run("pages", server.url().absoluteString).output == "text")
    }
}
