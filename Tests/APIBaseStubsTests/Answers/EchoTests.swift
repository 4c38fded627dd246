import APIBaseStubs
import Testing

private final class Send: JSONAPI, Request {
    typealias ModelType = [String: Int]
    override class var baseURL: URL? { URL(string: "https://echo.example") }
    init(_ value: [String: Int]) { super.init(.post("/echo", json: value)) }
}

@Suite struct EchoTests {
    @Test func `An echo answers with the body of the request and its type`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.echo)
        try await stubs.run {
            let value = try await Send(["a": 1]).value()
            #expect(value == ["a": 1])
        }
    }

    @Test func `The calls of stubs have commands for a shell, without secrets`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.echo)
        try await stubs.run {
            let send = Send(["a": 1])
            send.authorization = .bearer("canary")
            send.secretHeaders.insert("X-Mine")
            send.headers["X-Mine"] = "canary"
            _ = try await send.value()
            _ = try await Send(["b": 2]).value()
        }
        let lines = stubs.calls.curl.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        #expect(lines.filter { $0.hasPrefix("curl ") }.count == 2)
        #expect(lines.contains { $0.hasPrefix("--data-binary '{\"a\":1}'") })
        #expect(!stubs.calls.curl.contains("canary"))
        #expect(stubs.calls.first?.curl == stubs.calls.prefix(1).curl)
    }
}
