import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import HostileServer
import LoopbackServer
import RawClient
import TestTiers
import Testing

@testable import APIBaseInspector

/// The limits of what is kept.
@Suite(.tags(.concurrent), .limited) struct CallFeedTests {
    private let inspector: Inspector
    private let stubs = Stubs()

    init() throws { inspector = try Inspector() }

    private func call(_ numbers: ClosedRange<Int>) async throws {
        try await stubs.run {
            for number in numbers { _ = try await Book(inspector, "books/\(number)").value() }
        }
    }

    /// Makes calls that cannot be sent, which take little time.
    private func fail(_ count: Int, in feed: Feed) async {
        for _ in 0..<count {
            _ = try? await Book(reporting: feed.report) { $0.baseURL = URL(string: "ftp://books.example") }.value()
        }
    }

    @Test func `The inspector keeps the newest 500 calls when 510 are made`() async throws {
        let feed = Feed()
        await fail(510, in: feed)
        try await feed.waitForTheLast()
        #expect(feed.ids.count == 510)
        #expect(feed.calls.map(\.id) == feed.ids.suffix(500))
    }

    /// Two bodies of 64 KiB are 171 KiB as Base64, so that 120 calls have 20 MiB. Before they are shown, they have less
    /// than 16 MiB, which may wait for the thread of the inspector.
    @Test func `The inspector drops the oldest calls when the bodies of all calls exceed 16 MiB`() async throws {
        let feed = Feed()
        let bytes = Data(count: (64 << 10) - 1) + [0xFF]
        stubs.on().answer(.status(200, data: bytes))
        try await stubs.run {
            for _ in 1...120 {
                let book = Book(reporting: feed.report) { ($0.method, $0.body) = (.post, bytes) }
                _ = try await book.value()
            }
        }
        try await feed.waitForTheLast()
        let kept = feed.calls.map(\.id)
        #expect(80..<115 ~= kept.count)
        #expect(kept == feed.ids.suffix(kept.count))
    }

    @Test
    func `The inspector tells its page the number of calls that were removed before the page got them`() async throws {
        let feed = Feed()
        let page = feed.feed.open(after: 0)
        await fail(510, in: feed)
        try await feed.waitForTheLast()
        let news = try #require(feed.feed.next(for: page, within: .nanoseconds(0)))
        #expect(news.lost == 10)
        #expect(news.calls.count == 500)
    }

    /// A page that does not read loses calls and is told so. The program does not wait for it.
    @Test(.heavy)
    func `The inspector tells a page that reads nothing during 1,000 calls that calls are lost`() async throws {
        stubs.on().answer(.text(String(repeating: "x", count: 64 << 10)))
        let client = try RawClient(UInt16(try #require(inspector.url.port)))
        let token = inspector.url.fragment?.dropFirst(2) ?? ""
        try client.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
        try await call(1...1_000)
        // It reads at last. What has been written before is there first.
        var text = ""
        while !text.contains("event: lost\ndata: ") {
            text =
                String(text.suffix(40))
                + String(decoding: try client.connection.read(before: .now + .seconds(60)), as: UTF8.self)
        }
        #expect(text.contains(/event: lost\ndata: [1-9]/))
    }

    /// A call that ends after it had to go is not one that the page did not see.
    @Test
    func `A call that ends after its removal from the inspector is not reported to the page as lost`() async throws {
        let (hasBegun, mayEnd) = (Later<Void>(), Later<Void>())
        stubs.on(.get, "/v2/long").answer { _, _ in
            hasBegun.set(())
            try await mayEnd.value()
            return .text("Persuasion")
        }
        let feed = Feed()
        let page = feed.feed.open(after: 0)
        var (over, lost) = (Set<Int>(), 0)
        let long = Task { [stubs] in try await stubs.run { try await Book(reporting: feed.report, "long").value() } }
        try await hasBegun.value()
        for count in [100, 200, 300, 400, 500, 600, 601] {
            if count > 600 {
                mayEnd.set(())
                #expect(try await long.value == "Persuasion")
            }
            await fail(count - over.count, in: feed)
            while over.count < count {
                try await Task.sleep(for: .milliseconds(1))
                let news = try #require(feed.feed.next(for: page, within: .nanoseconds(0)))
                lost += news.lost
                over.formUnion(news.calls.map(\.tracker.call).filter { $0.state != .running }.map(\.id))
            }
        }
        #expect(lost == 0)
    }

    /// A page that comes back goes on after the last change that it has.
    @Test func `The inspector's page gets only later calls when it reconnects with its last event ID`() async throws {
        stubs.on().answer(.text("Emma"))
        try await call(1...2)
        let last = try #require(try await Page(inspector).events(2).last).lastEventID
        try await call(3...3)
        let page = Page(inspector)
        page.queryItems = [URLQueryItem(name: "after", value: last)]
        let calls = try await page.calls()
        #expect(calls.count == 1)
        #expect(calls[0].last?.request.url?.hasSuffix("/3") == true)
    }

    @Test func `The inspector shows each of 200 concurrent calls once, with one attempt`() async throws {
        stubs.on().answer(.text("Emma"))
        let count = 200
        try await stubs.run {
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<count {
                    group.addTask { [inspector] in try await Book(inspector, "\(number)").value() }
                }
                for try await text in group { #expect(text == "Emma") }
            }
        }
        let calls = try await Page(inspector).calls(count)
        #expect(Set(calls.map(\.id)).count == count)
        #expect(calls.allSatisfy { $0.status == 200 && $0.attempts.count == 1 })
    }

    @Test func `Stopping the inspector cuts off an open page and closes the port`() async throws {
        let port = UInt16(try #require(inspector.url.port))
        let client = try RawClient(port)
        let token = inspector.url.fragment?.dropFirst(2) ?? ""
        let request = "GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
        try client.send(request)
        _ = try client.connection.read(until: Array(": connected\n\n".utf8))
        inspector.stop()
        // The stream is cut off, so that the page knows that it has not ended.
        var isOpen = true
        while isOpen { isOpen = (try? client.connection.read(before: .now + .seconds(120)).isEmpty) == false }
        // If there is a server, another test has got the port.
        let other = try? RawClient(port)
        try? other?.send(request)
        let head = try? other?.connection.read(until: Array("\r\n\r\n".utf8))
        #expect(!String(decoding: head ?? [], as: UTF8.self).contains("text/event-stream"))
    }
}
