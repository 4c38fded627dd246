#if os(Linux)
import APIBaseKit
import Foundation
import Testing

/// A page in the browser.
struct Tab: Sendable {
    private let browser: Browser
    private let target: JSONValue
    private let session: String

    /// Opens a new page of the browser, and closes it at the end.
    static func with(_ url: URL, _ body: (Tab) async throws -> Void) async throws {
        let tab = try await Tab()
        try await tab.open(url)
        try await body(tab)
        _ = try await tab.browser.send("Target.closeTarget", ["targetId": tab.target])
    }

    private init() async throws {
        browser = try #require(Browser.current)
        target = try #require(try await browser.send("Target.createTarget", ["url": "about:blank"])["targetId"])
        let attached = try await browser.send("Target.attachToTarget", ["targetId": target, "flatten": true])
        session = try #require(attached["sessionId"]?.string)
        for domain in ["Page", "Runtime", "Network", "Log"] { try await send("\(domain).enable") }
        // The time of the processor: a busy machine does not make it longer.
        try await send("Performance.enable", ["timeDomain": "threadTicks"])
        try await send("Emulation.setFocusEmulationEnabled", ["enabled": true])
    }

    /// Opens the URL, and waits until the page has set itself up.
    private func open(_ url: URL) async throws {
        try await send("Page.navigate", ["url": .string(url.absoluteString)])
        try await wait("window.inspectorPage && document.readyState === 'complete'")
    }

    @discardableResult
    func send(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
        try await browser.send(method, parameters, to: session)
    }

    /// The value of an expression of JavaScript, or of its promise.
    @discardableResult
    func value(_ expression: String) async throws -> JSONValue {
        let answer = try await send(
            "Runtime.evaluate",
            ["expression": .string(expression), "awaitPromise": true, "returnByValue": true]
        )
        if let details = answer["exceptionDetails"] { throw Browser.Failure(description: "\(expression): \(details)") }
        return answer["result"]?["value"] ?? .null
    }

    func text(_ expression: String) async throws -> String { try #require(try await value(expression).string) }

    func texts(_ expression: String) async throws -> [String] {
        try #require(try await value(expression).array).map { $0.string ?? "\($0)" }
    }

    func number(_ expression: String) async throws -> Double { try #require(try await value(expression).number) }

    /// Waits until a condition holds, which is checked before each frame. Returns its value.
    @discardableResult
    func wait(_ condition: String) async throws -> JSONValue {
        try await value(
            """
            new Promise((resolve, reject) => {
                const limit = performance.now() + 50000;
                const check = () => {
                    const value = \(condition);
                    if (value) return resolve(value);
                    if (performance.now() > limit) return reject("It never held.");
                    requestAnimationFrame(check);
                };
                check();
            })
            """
        )
    }

    /// Presses keys, one after the other: characters, or names as `ArrowDown`.
    func press(_ keys: String...) async throws {
        let codes: [String: JSONValue] = ["ArrowDown": 40, "ArrowUp": 38, "Escape": 27, "Enter": 13, "Tab": 9]
        for key in keys {
            var event: [String: JSONValue] = ["type": "keyDown", "key": .string(key)]
            event["windowsVirtualKeyCode"] = codes[key]
            if key.count == 1 { event["text"] = .string(key) }
            try await send("Input.dispatchKeyEvent", .object(event))
            event["type"] = "keyUp"
            event["text"] = nil
            try await send("Input.dispatchKeyEvent", .object(event))
        }
    }

    /// Lets the clock of the page go on by some seconds, for which nobody waits.
    func passTime(seconds: Int64) async throws {
        let start = try await number("Date.now()")
        try await value("void (window.passed = new Promise(resolve => setTimeout(resolve, \(seconds * 1_000))))")
        let budget: JSONValue = .integer(seconds * 1_000 + 500)
        try await send("Emulation.setVirtualTimePolicy", ["policy": "advance", "budget": budget])
        try await value("passed")
        let end = try await number("Date.now()")
        #expect(end - start >= Double(seconds - 1) * 1_000)
    }

    /// The URLs that the page has asked for, without that of an icon.
    var requestedURLs: [String] {
        browser.events("Network.requestWillBeSent", of: session).compactMap { $0["request"]?["url"]?.string }
            .filter { !$0.hasSuffix("/favicon.ico") }
    }

    /// The errors of scripts, and those that the browser has logged.
    var errors: [String] {
        let thrown = browser.events("Runtime.exceptionThrown", of: session).map { "\($0)" }
        let logged = browser.events("Log.entryAdded", of: session).compactMap { $0["entry"] }
            .filter { $0["level"]?.string == "error" && $0["url"]?.string?.hasSuffix("/favicon.ico") != true }
        return thrown + logged.map { "\($0)" }
    }

    /// The sum of the seconds that the page has spent in scripts, styles and layouts.
    func workingTime() async throws -> Double {
        let metrics = try #require(try await send("Performance.getMetrics")["metrics"]?.array)
        let names = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"]
        return metrics.filter { names.contains($0["name"]?.string ?? "") }.reduce(0) { $0 + ($1["value"]?.number ?? 0) }
    }
}
#endif
