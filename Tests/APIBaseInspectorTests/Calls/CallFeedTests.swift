import APIBaseInspector
import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import HostileServer
import LoopbackServer
import RawClient
import Testing

/// The limits of what is kept.
@Suite(.timeLimit(.minutes(5))) struct CallFeedTests {
    private let inspector: Inspector
    private let stubs = Stubs()

    init() throws { inspector = try Inspector() }

    private func call(_ count: Int) async throws {
        try await stubs.run {
            for number in 1...count { _ = try await Book(inspector, "books/\(number)").value() }
        }
    }

    @Test func `The inspector keeps the newest 500 calls when 510 are made`() async throws {
        stubs.on().answer(.text("Emma"))
        try await call(510)
        for try await event in Page(inspector).eachEvent() where event.data.contains("/510\"") {
            if event.data.contains(#""ended""#) { break }
        }
        let calls = try await Page(inspector).calls(500)
        #expect(calls.last?.last?.request.url?.hasSuffix("/510") == true)
        #expect(calls.first?.last?.request.url?.hasSuffix("/11") == true)
    }

    /// 300 bodies of 64 KiB have 19 MiB, of which 16 stay.
    @Test func `The inspector drops the oldest calls when their bodies exceed 16 MiB`() async throws {
        stubs.on().answer(.text(String(repeating: "x", count: 64 << 10)))
        var ids: Set<Int> = []
        try await call(1)
        for try await event in Page(inspector).eachEvent() where event.data.contains(#""ended""#) {
            ids.insert(try JSONDecoder().decode(ShownCall.self, from: Data(event.data.utf8)).id)
            if ids.count == 300 { break }
            try await call(1)
        }
        let kept = try await Page(inspector).calls(230).map(\.id)
        #expect(Set(kept).isDisjoint(with: ids.sorted().prefix(50)))
        #expect(Set(kept).isSubset(of: ids))
    }

    /// A page that does not read loses calls and is told so. The program does not wait for it.
    @Test func `A page that does not read during 1,000 calls is told that calls are lost`() async throws {
        stubs.on().answer(.text(String(repeating: "x", count: 64 << 10)))
        let client = try RawClient(UInt16(try #require(inspector.url.port)))
        let token = inspector.url.fragment?.dropFirst(2) ?? ""
        try client.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
        try await call(1_000)
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
    @Test func `A call that ends after its removal from the inspector is not reported as lost`() async throws {
        let (hasBegun, mayEnd) = (Later<Void>(), Later<Void>())
        stubs.on(.get, "/v2/long").answer { _, _ in
            hasBegun.set(())
            try await mayEnd.value()
            return .text("Persuasion")
        }
        stubs.on().answer(.text("Emma"))
        let long = Task { [inspector, stubs] in try await stubs.run { try await Book(inspector, "long").value() } }
        try await hasBegun.value()
        try await call(100)
        var ids: Set<Int> = []
        for try await event in Page(inspector).eachEvent() {
            #expect(event.type == "call")
            let call = try JSONDecoder().decode(ShownCall.self, from: Data(event.data.utf8))
            guard call.isOver, ids.insert(call.id).inserted else { continue }
            if ids.count == 601 { break }
            if ids.count.isMultiple(of: 100), ids.count < 600 { try await self.call(100) }
            if ids.count == 600 {
                mayEnd.set(())
                #expect(try await long.value == "Persuasion")
                try await self.call(1)
            }
        }
    }

    /// A page that comes back goes on after the last change that it has.
    @Test func `A page that reconnects with the last event ID gets only later calls`() async throws {
        stubs.on().answer(.text("Emma"))
        try await call(2)
        let last = try #require(try await Page(inspector).events(2).last).lastEventID
        try await call(1)
        let page = Page(inspector)
        page.queryItems = [URLQueryItem(name: "after", value: last)]
        let calls = try await page.calls()
        #expect(calls.count == 1)
        #expect(calls[0].last?.request.url?.hasSuffix("/1") == true)
    }

    @Test func `Each of 200 concurrent calls is shown once with one attempt`() async throws {
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
        let client = try RawClient(UInt16(try #require(inspector.url.port)))
        let token = inspector.url.fragment?.dropFirst(2) ?? ""
        try client.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
        _ = try client.connection.read(until: Array(": connected\n\n".utf8))
        inspector.stop()
        // The stream is cut off, so that the page knows that it has not ended.
        var isOpen = true
        while isOpen { isOpen = (try? client.connection.read(before: .now + .seconds(30)).isEmpty) == false }
        #expect(throws: (any Error).self) { try RawClient(UInt16(inspector.url.port ?? 0)) }
    }
}
