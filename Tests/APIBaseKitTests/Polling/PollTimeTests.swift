import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

private final class Export: JSONAPI, PolledRequest {
    typealias ModelType = JSONValue
    override class var baseURL: URL? { URL(string: "https://api.example") }
    override init() {
        super.init(.post("/exports"))
        timeout = .seconds(500)
        limits.idle = .seconds(500)
    }
}

/// The time of an operation where stubs take none.
@Suite(.limited) struct PollTimeTests {
    private static let begun = StubAnswer.json("{}", status: 202, headers: ["Location": "/exports/7"])

    @Test(arguments: [
        [.json("{}").delayed(by: .seconds(200))], [StubAnswer.never],
        [begun, .json("{}").delayed(by: .seconds(200))], [begun, .never],
        [begun.delayed(by: .seconds(60)), .json("{}").delayed(by: .seconds(60))],
    ])
    func `On an immediate clock, an operation ends at its limit while a call of it is under way`(answers: [StubAnswer])
        async throws
    {
        let stubs = Stubs(clock: .immediate)
        stubs.on(.post, "/exports").answer(answers[0])
        if answers.count > 1 { stubs.on(.get, "/exports/7").answer(answers[1]) }
        let error = await #expect(throws: RequestError.self) {
            try await stubs.run { _ = try await Export().result(within: .seconds(100)) }
        }
        guard case .notDone(within: .seconds(100), _) = error else { throw error ?? RequestError.noValue }
    }

    @Test func `On an immediate clock, an operation within its limit gives its result`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on(.post, "/exports").answer(Self.begun.delayed(by: .seconds(40)))
        stubs.on(.get, "/exports/7").answer(.json(#"{"done": true}"#).delayed(by: .seconds(40)))
        try await stubs.run {
            let result = try await Export().result(within: .seconds(100))
            #expect(result["done"] == true)
        }
    }

    @Test func `The deadline of the scope ends an operation if it is earlier than its limit`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on(.post, "/exports").answer(.json("{}").delayed(by: .seconds(200)))
        await #expect(throws: RequestError.deadlineExceeded(after: .seconds(10))) {
            try await stubs.run {
                try await CallScope.withDeadline(.seconds(10)) {
                    _ = try await Export().result(within: .seconds(100))
                }
            }
        }
    }
}
