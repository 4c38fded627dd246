#if os(Linux)
import APIBaseInspector
import APIBaseKit
import APIBaseStubs
import Foundation
import TestTiers
import Testing

/// The page in a real browser, which the tests share, one after the other.
@Suite(
    .heavy,
    .enabled(if: Browser.isInstalled, "There is no Chromium."),
    .serialized,
    .timeLimit(.minutes(5)),
    .browser
)
struct BrowserTests {
    let inspector: Inspector
    let stubs = Stubs()

    init() throws { inspector = try Inspector() }

    /// Opens the page, and waits until it follows the program.
    func withPage(_ body: (Tab) async throws -> Void) async throws {
        defer { inspector.stop() }
        try await Tab.with(inspector.url) { tab in
            try await tab.wait("document.getElementById('connection').textContent === '● Live'")
            try await body(tab)
        }
    }

    /// Makes a call, whether it succeeds or fails.
    func call(_ path: String = "books/7", _ change: (Book) -> Void = { _ in }) async {
        let book = Book(inspector, path, change)
        _ = try? await stubs.runUnchecked { try await book.value() }
    }

    // MARK: Calls

    @Test func `A call appears on the open page of the inspector when it has ended`() async throws {
        stubs.on().answer(.json(#"{"id":7}"#, status: 201))
        try await withPage { tab in
            await call { $0.method = .post }
            try await tab.wait("\(row(1, "status")) === '201'")
            #expect(try await tab.text(row(1, "method")) == "POST")
            #expect(try await tab.text(row(1, "path")) == "/v2/books/7stub")
            #expect(try await tab.text(row(1, "class")) == "Book")
            #expect(try await tab.text(row(1, "size")) == "8 B")
        }
    }

    @Test func `The inspector's page shows the account of a call, and finds the call by it`() async throws {
        stubs.on().answer(.json("{}"))
        try await withPage { tab in
            await call { $0.on(APIAccount(name: "acme <b>")) }
            await call { $0.on(APIAccount(name: "globex")) }
            try await tab.wait("\(row(2, "status")) === '200'")
            #expect(try await tab.text(row(1, "class")) == "Book for acme <b>")
            #expect(try await tab.text(row(2, "class")) == "Book for globex")
            try await tab.press("/", "g", "l", "o", "b")
            try await tab.wait("document.getElementById('counts').textContent.startsWith('1 of 2')")
        }
    }

    @Test func `The inspector's page shows the template of a call's path, and finds the calls by it`() async throws {
        stubs.on().answer(.json("{}"))
        try await withPage { tab in
            await call { $0.pathTemplate = "/{shelf}/{id}" }
            await call { _ in }
            try await tab.wait("\(row(2, "status")) === '200'")
            try await tab.press("/", "{", "s", "h")
            try await tab.wait("document.getElementById('counts').textContent.startsWith('1 of 2')")
            try await tab.press("Escape", "ArrowDown")
            try await tab.wait("document.getElementById('detail').textContent.includes('/{shelf}/{id}')")
        }
    }

    @Test
    func `The inspector's page shows both attempts of a retried call and the reason for the retry`() async throws {
        stubs.on().answer(inOrder: .status(503), .text("Emma"))
        try await withPage { tab in
            await call { $0.retry = RetryPolicy(backoff: .constant(.milliseconds(500))) }
            try await tab.wait("\(row(1, "status")) === '200'")
            try await tab.press("ArrowDown")
            let statuses = "\(all("#detail .attempts .attempt")).map(e => e.children[0].textContent)"
            let attempts = try await tab.texts(statuses)
            #expect(attempts == ["503", "200"])
            let reasons = try await tab.texts("\(all("#detail .attempts li")).map(e => e.lastChild.textContent)")
            #expect(reasons.first == "→ 503, again after 0.5 s")
            #expect(reasons.count == 2)
            #expect(reasons.last != reasons.first)
            try await tab.wait("\(settled)")
            #expect(try await tab.number("\(all("#rows .dot")).length") == 1)
        }
    }

    @Test
    func `The inspector's page shows markup in a request or response as text and does not execute it`() async throws {
        let markup =
            #"<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script><b>bold</b>"#
        stubs.on().answer(.text(markup, headers: ["X-Theirs": markup]))
        try await withPage { tab in
            let title = try await tab.text("document.title")
            let elements = "\(all("main *")).filter(e => e.matches('img, script, b')).length"
            await call("books/\(markup)") {
                $0.method = .post
                $0.queryItems = [URLQueryItem(name: markup, value: markup)]
                $0.headers["X-Mine"] = markup
                $0.headers["Content-Type"] = "text/html"
                $0.body = Data(markup.utf8)
            }
            await call {
                $0.method = .post
                $0.headers["Content-Type"] = "application/json"
                $0.body = try? JSONEncoder().encode([markup: [markup]])
            }
            try await tab.wait("\(row(2, "status")) === '200'")
            for _ in 1...2 {
                try await tab.press("ArrowDown")
                let text = try await tab.text("document.getElementById('detail').textContent")
                #expect(text.components(separatedBy: markup).count > 3)
                #expect(try await tab.number(elements) == 0)
                let views = "\(all("#detail [role=group] button")).filter(e => e.textContent !== 'Copy')"
                try await tab.value("\(views).forEach(e => e.click())")
                #expect(try await tab.number(elements) == 0)
            }
            #expect(try await tab.text("document.title") == title)
            let page = inspector.url.absoluteString
            let server = page.prefix { $0 != "#" }
            #expect(Set(tab.requestedURLs) == [String(server), "\(server)events?after=0"])
            #expect(tab.errors == [])
        }
    }

    @Test func `The inspector's page reports a wrong token and does not connect again`() async throws {
        defer { inspector.stop() }
        let page = inspector.url.absoluteString.prefix { $0 != "#" }
        try await Tab.with(try #require(URL(string: "\(page)#k=00ff"))) { tab in
            try await tab.wait("document.getElementById('connection').textContent.includes('wrong or old')")
            try await tab.passTime(seconds: 10)
            #expect(try await tab.text("document.getElementById('connection').textContent").contains("wrong or old"))
            #expect(tab.requestedURLs.filter { $0.contains("/events") }.count == 1)
        }
    }

    // MARK: Many calls

    /// The page keeps as many calls as the program does. One more does not delay it.
    @Test func `The inspector's page works for less than a second to show one more call after 10,000`() async throws {
        stubs.on().answer(.json(#"{"title":"Emma"}"#))
        try await withPage { tab in
            for thousand in 1...10 {
                await withDiscardingTaskGroup { group in
                    for _ in 1...3 { group.addTask { for number in 1...333 { await call("books/\(number)") } } }
                }
                await call("thousands/\(thousand)")
                try await tab.wait("\(settled) && \(lastRow("path")) === '/v2/thousands/\(thousand)stub'")
            }
            #expect(try await tab.number("\(all("#rows .row")).length") == 500)
            try await tab.send("HeapProfiler.collectGarbage")
            let heap = try #require(try await tab.send("Runtime.getHeapUsage")["usedSize"]?.number)
            #expect(heap < 200e6)

            let before = try await tab.workingTime()
            await call("books/last")
            try await tab.wait("\(settled) && \(lastRow("path")) === '/v2/books/laststub'")
            let update = try await tab.workingTime() - before
            #expect(update < 1)
            #expect(try await tab.number("\(all("#rows .row")).length") == 500)
        }
    }

    /// Whether all calls are shown, with their bars.
    private var settled: String { "!flush.timer && !drawAxis.timer && waiting.size === 0" }
}

/// An expression for the elements that a selector finds.
func all(_ selector: String) -> String { "[...document.querySelectorAll(`\(selector)`)]" }

/// An expression for the text of a cell in a row, counted from 1.
func row(_ number: Int, _ cell: String) -> String {
    "document.querySelector('#rows .row:nth-child(\(number)) .\(cell)')?.textContent"
}

/// An expression for the text of a cell in the last row.
func lastRow(_ cell: String) -> String { "document.querySelector('#rows .row:last-child .\(cell)')?.textContent" }
#endif
