import APIBaseKit
import HostileServer
import TestTiers
import Testing

@testable import apibase

@Suite(.limited) struct EventsTests {
    private func tick(_ number: Int) -> String { "tick  {\"number\":\(number),\"of\":3}" }

    @Test
    func `The events command prints each server-sent event as one line, even across reconnections`() async throws {
        let lab = try Lab()
        let outcome = await run(
            "events",
            "\(lab.url)/lab/events",
            "count==3",
            "every==0",
            "perConnection==2",
            "retry==0"
        )
        #expect(outcome == Outcome(code: 0, output: (1...3).map { tick($0) + "\n" }.joined(), errors: ""))
    }

    @Test func `The events command ends after the number of events given by --count`() async throws {
        let lab = try Lab()
        let url = "\(lab.url)/lab/events?count=3&every=0"
        #expect(await run("events", url, "--count", "2").lines == [tick(1), tick(2)])
        let shown = await run(["events", url, "--count", "1"], on: .make())
        #expect(shown.output.hasPrefix("\u{1B}[34mtick\u{1B}[0m  {"))
    }

    @Test
    func `Control characters in server-sent events and in error messages are escaped in the output`() async throws {
        let text =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            + "data: a\u{9B}2J\u{1B}[2J\n\n"
        let server = try ScriptedServer(always: text)
        defer { server.stop() }
        let outcome = await run("events", server.url("/").absoluteString, "--count", "1")
        #expect(outcome.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(outcome.output.contains("2J"))
        let usage = await run("no\u{1B}[2J")
        #expect(usage.errors.hasPrefix("apibase: there is no command “no\\u001B[2J”."))
    }

    @Test
    func `The events command exits with 4 for a 404, 1 without an event stream and 2 for wrong arguments`() async throws
    {
        let lab = try Lab()
        let missing = await run("events", "\(lab.url)/nowhere")
        #expect(missing.code == 4)
        #expect(await run("events", "\(lab.url)/jsonplaceholder/users").code == 1)
        let closed = await run("events", "http://127.0.0.1:1", "--retry", "1")
        #expect(closed.code == 1)
        #expect(closed.errors.contains("again in "))
        for arguments in [["h", "--count", "0"], ["h", "--retry", "0"], ["h", "a=b"], []] {
            #expect(await run(["events"] + arguments).code == 2)
        }
    }
}
