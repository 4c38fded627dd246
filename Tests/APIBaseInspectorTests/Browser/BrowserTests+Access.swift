#if os(Linux)
import APIBaseKit
import APIBaseStubs
import Foundation
import Testing

/// The page without a mouse, and for those who hear it or see it less well.
extension BrowserTests {
    private func answerByPath() {
        stubs.on(.get, "/v2/books/1").answer(.json(#"{"title":"Emma","pages":[474,null],"in print":true}"#))
        stubs.on(.get, "/v2/books/2").answer(inOrder: .status(503), .text("Sanditon", status: 404))
        stubs.on(.get, "/v2/films/3").answer(.fault(.connectionRefused))
        stubs.on(.get, "/v2/films/4").answer(.status(200, data: Data([0x00, 0xFF])))
    }

    private func makeCalls() async {
        await call("books/1") {
            $0.queryItems = [URLQueryItem(name: "draft", value: "1")]
            $0.headers["X-Mine"] = "yes"
        }
        await call("books/2") { $0.retry = RetryPolicy(backoff: .constant(.milliseconds(500))) }
        await call("films/3")
        await call("films/4")
    }

    private var shownPaths: String {
        all("#rows .row:not([hidden]) .path > span:first-child") + ".map(e => e.textContent)"
    }
    private var selectedPath: String {
        "document.querySelector('#rows [aria-selected=true] .path > span').textContent"
    }
    private var focus: String { "document.activeElement.id" }

    @Test
    func `The keyboard alone selects, filters and pauses calls and opens the help on the inspector's page`()
        async throws
    {
        answerByPath()
        try await withPage { tab in
            await makeCalls()
            try await tab.wait("\(row(4, "status")) === '200'")
            try await tab.press("ArrowDown")
            #expect(try await tab.text(selectedPath) == "/v2/books/1?draft=1")
            try await tab.press("ArrowDown", "ArrowDown")
            #expect(try await tab.text(selectedPath) == "/v2/films/3")
            try await tab.press("ArrowUp")
            #expect(try await tab.text(selectedPath) == "/v2/books/2")
            #expect(try await tab.text("document.querySelector('#detail h2').textContent").hasSuffix("/v2/books/2"))

            try await tab.press("/")
            #expect(try await tab.text(focus) == "filter")
            try await tab.press("f", "i", "l", "m", "s", " ", "2", "0", "0")
            #expect(try await tab.texts(shownPaths) == ["/v2/films/4"])
            try await tab.value("document.getElementById('filter').select()")
            try await tab.press("f", "i", "l", "m", "s")
            #expect(try await tab.texts(shownPaths) == ["/v2/films/3", "/v2/films/4"])
            try await tab.press("Escape")
            #expect(try await tab.text(focus) == "list")

            try await tab.press("f")
            #expect(try await tab.texts(shownPaths) == ["/v2/films/3"])
            try await tab.press("f")
            #expect(try await tab.texts(shownPaths) == ["/v2/films/3", "/v2/films/4"])

            try await tab.press("p")
            await call("films/4")
            try await tab.wait("document.getElementById('fresh').textContent === '1 new'")
            #expect(try await tab.texts(shownPaths).count == 2)
            try await tab.press("p")
            try await tab.wait("\(shownPaths).length === 3 && document.getElementById('fresh').textContent === ''")

            try await tab.press("?")
            #expect(try await tab.value("document.getElementById('help').open") == true)
            try await tab.press("Escape")
            #expect(try await tab.value("document.getElementById('help').open") == false)
            #expect(tab.errors == [])
        }
    }

    @Test func `The Tab key reaches every visible control of the inspector's page`() async throws {
        answerByPath()
        try await withPage { tab in
            await makeCalls()
            try await tab.wait("\(row(4, "status")) === '200'")
            try await tab.press("ArrowDown", "ArrowDown")
            let controls = all("button, input, summary, a, [tabindex]") + ".filter(e => e.checkVisibility())"
            let count = Int(try await tab.number("\(controls).length"))
            #expect(count > 15)
            try await tab.value("window.reached = new Set()")
            for _ in 0..<count + 5 {
                try await tab.press("Tab")
                try await tab.value("void reached.add(document.activeElement)")
            }
            #expect(try await tab.texts("\(controls).filter(e => !reached.has(e)).map(e => e.outerHTML)") == [])
        }
    }

    @Test func `Every control of the inspector's page has an accessible name`() async throws {
        answerByPath()
        try await withPage { tab in
            await makeCalls()
            try await tab.wait("\(row(4, "status")) === '200'")
            try await tab.press("ArrowDown", "ArrowDown")
            try await expectNames(in: tab, of: ["button", "searchbox", "row", "grid", "region"])
            try await tab.press("?")
            try await expectNames(in: tab, of: ["button", "dialog"])
        }
    }

    /// Expects elements of all these roles, each with a name.
    private func expectNames(in tab: Tab, of expected: Set<String>) async throws {
        let roles: Set = ["button", "textbox", "searchbox", "row", "grid", "dialog", "region", "DisclosureTriangle"]
        let nodes = try #require(try await tab.send("Accessibility.getFullAXTree")["nodes"]?.array)
        let controls = nodes.filter { $0["ignored"]?.bool != true && roles.contains($0.role) && !$0.isRowOfText }
        #expect(expected.isSubset(of: controls.map(\.role)))
        let nameless = controls.filter { ($0["name"]?["value"]?.string ?? "").allSatisfy(\.isWhitespace) }
        #expect(nameless == [])
    }

    /// The contrast of all texts is at least 4.5 (WCAG 2.2, 1.4.3).
    @Test(arguments: ["light", "dark"])
    func `Every text of the inspector's page has a contrast of at least 4.5:1 in light and dark mode`(_ scheme: String)
        async throws
    {
        answerByPath()
        try await withPage { tab in
            let feature: JSONValue = ["name": "prefers-color-scheme", "value": .string(scheme)]
            try await tab.send("Emulation.setEmulatedMedia", ["features": [feature]])
            await makeCalls()
            try await tab.wait("\(row(4, "status")) === '200'")
            let isLight = try await tab.number("\(brightness)(\(pageColor))") > 0.5
            #expect(isLight == (scheme == "light"))
            for _ in 1...4 {
                try await tab.press("ArrowDown")
                #expect(try await tab.number("\(all(texts)).length") > 50)
                #expect(try await tab.texts(paleTexts) == [])
            }
            try await tab.press("f", "?")
            #expect(try await tab.texts(paleTexts) == [])
        }
    }

    private var texts: String { "body *:not(script)" }
    private var pageColor: String { "getComputedStyle(document.body).backgroundColor" }

    /// A function for the relative luminance of a color.
    private var brightness: String {
        """
        (color => color.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
            .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0))
        """
    }

    /// The elements whose own text has too little contrast to the nearest background.
    private var paleTexts: String {
        """
        (() => {
            const brightness = \(brightness);
            const isClear = color => /, 0\\)$/.test(color);
            const back = element => {
                const color = getComputedStyle(element).backgroundColor;
                return isClear(color) ? back(element.parentElement) : color;
            };
            const contrast = element => {
                const pair = [getComputedStyle(element).color, back(element)].map(brightness);
                return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
            };
            const hasText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
            return \(all(texts)).filter(element => hasText(element) && element.checkVisibility())
                .filter(element => contrast(element) < 4.5)
                .map(element => `${contrast(element).toFixed(2)} ${element.outerHTML}`);
        })()
        """
    }
}

extension JSONValue {
    /// The role of a node for screen readers.
    fileprivate var role: String { self["role"]?["value"]?.string ?? "" }

    /// Whether it is a row that cannot be selected, such as one of the table of headers. It is read cell by cell.
    fileprivate var isRowOfText: Bool {
        role == "row" && self["properties"]?.array?.contains { $0["name"]?.string == "selected" } != true
    }
}
#endif
