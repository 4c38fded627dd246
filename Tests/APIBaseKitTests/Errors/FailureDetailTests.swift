import APIBaseKit
import APIBaseStubs
import Foundation
import Testing

/// The API's own error in a failure.
@Suite struct FailureDetailTests {
    private struct Problem: Decodable, LocalizedError, Equatable {
        let reason: String
        var errorDescription: String? { "The shop says: \(reason)" }
    }

    private struct Silent: Decodable, Error { let reason: String }

    private class ShopAPI: JSONAPI {
        override class var baseURL: URL? { URL(string: "https://shop.example") }
        override func detail(of failure: HTTPFailure) -> (any Error)? { try? failure.decode(Problem.self) }
    }

    private final class Item: ShopAPI, Request {
        typealias ModelType = Int
        override init() { super.init(.get("/item")) }
    }

    private final class SilentItem: ShopAPI, Request {
        typealias ModelType = Int
        override init() { super.init(.get("/item")) }
        override func detail(of failure: HTTPFailure) -> (any Error)? { try? failure.decode(Silent.self) }
    }

    private final class Chat: ShopAPI, EventRequest {
        typealias EventType = [String: Int]
        override init() { super.init(.post("/chat")) }
    }

    private static func failure(of call: some Request, _ answer: StubAnswer) async -> any Error {
        let stubs = Stubs()
        stubs.on().answer(answer)
        do {
            _ = try await stubs.run { try await call.value() }
            return CancellationError()
        } catch {
            return error
        }
    }

    private static let refused = StubAnswer.json(#"{"reason": "sold out"}"#, status: 409, headers: ["Retry-After": "7"])

    // MARK: Failures of responses

    @Test func `A refused response fails with httpFailure, which keeps the response and has the API's own error`()
        async throws
    {
        guard case RequestError.httpFailure(let failure) = await Self.failure(of: Item(), Self.refused) else {
            return #expect(Bool(false), "another error")
        }
        #expect(failure.detail(as: Problem.self) == Problem(reason: "sold out"))
        #expect(failure.detail(as: Silent.self) == nil)
        #expect(RequestError.httpFailure(failure).detail(as: Problem.self) == Problem(reason: "sold out"))
        #expect(RequestError.noValue.detail(as: Problem.self) == nil)
        #expect(failure.statusCode == 409 && failure.headers["Retry-After"] == "7" && failure.retryAfter == .seconds(7))
        #expect(failure.url?.absoluteString == "https://shop.example/item")
        #expect(failure.body == Data(#"{"reason": "sold out"}"#.utf8))
    }

    @Test func `A failure with an API's own error is caught by its status`() async {
        await #expect {
            throw await Self.failure(of: Item(), Self.refused)
        } throws: { error in
            if case RequestError.httpFailure(409) = error { true } else { false }
        }
    }

    @Test func `The text of an httpFailure is that of the API's own error, or the usual one if that has no text`() async
    {
        #expect(await Self.failure(of: Item(), Self.refused).localizedDescription == "The shop says: sold out")
        #expect(
            await Self.failure(of: SilentItem(), Self.refused).localizedDescription
                == "The response from https://shop.example/item has status 409."
        )
        let other = StubAnswer.text("<html>", status: 502, headers: ["Content-Type": "text/html"])
        #expect(
            await Self.failure(of: Item(), other).localizedDescription
                == "The response from https://shop.example/item has status 502."
        )
    }

    @Test(arguments: ["", " \n "])
    func `An API's own error with an empty text leaves the usual text`(text: String) async {
        struct Empty: LocalizedError { let errorDescription: String? }
        final class Quiet: ShopAPI, Request {
            typealias ModelType = Int
            let text: String
            init(_ text: String) {
                self.text = text
                super.init(.get("/item"))
            }
            override func detail(of failure: HTTPFailure) -> (any Error)? { Empty(errorDescription: text) }
        }
        #expect(
            await Self.failure(of: Quiet(text), Self.refused).localizedDescription
                == "The response from https://shop.example/item has status 409."
        )
    }

    @Test func `The description of an HTTPFailure has its status and the text of the API's own error`() async {
        guard case RequestError.httpFailure(let failure) = await Self.failure(of: Item(), Self.refused) else {
            return #expect(Bool(false), "another error")
        }
        #expect(
            failure.description
                == "The response from https://shop.example/item has status 409: “The shop says: sold out”."
        )
    }

    @Test func `The detail is nil for a body that is not the API's own error, and for a class that reads none`() async {
        let other = StubAnswer.text("<html>", status: 502, headers: ["Content-Type": "text/html"])
        final class Plain: JSONAPI, Request {
            typealias ModelType = Int
            override init() { super.init(.get("https://shop.example/item")) }
        }
        for error in [await Self.failure(of: Item(), other), await Self.failure(of: Plain(), Self.refused)] {
            guard case RequestError.httpFailure(let failure) = error else {
                #expect(Bool(false), "\(error)")
                continue
            }
            #expect(failure.detail(as: Problem.self) == nil)
        }
    }

    @Test func `Failures are equal if their responses are, whatever reads their details`() async throws {
        let failures = try [
            await Self.failure(of: Item(), Self.refused), await Self.failure(of: SilentItem(), Self.refused),
        ]
        .map { try #require($0 as? RequestError) }
        #expect(failures[0] == failures[1])
        #expect(Set(failures).count == 1)
    }

    @Test func `The error(for:) of a class gets the failure with the API's own error`() async {
        final class Mapped: ShopAPI, Request {
            typealias ModelType = Int
            override init() { super.init(.get("/item")) }
            override func error(for failure: HTTPFailure) -> any Error {
                failure.detail(as: Problem.self) ?? super.error(for: failure)
            }
        }
        #expect(await Self.failure(of: Mapped(), Self.refused) as? Problem == Problem(reason: "sold out"))
    }

    @Test func `A refused response of a stream and of a download has the API's own error`() async throws {
        let stubs = Stubs()
        stubs.on().answer(Self.refused)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let errors = try await stubs.run {
            var errors: [any Error] = []
            do { for try await _ in Item().eachLine() {} } catch { errors.append(error) }
            do { _ = try await Item().downloaded(to: file) } catch { errors.append(error) }
            return errors
        }
        #expect(errors.count == 2)
        for error in errors {
            #expect(error.localizedDescription == "The shop says: sold out", "\(error)")
        }
    }

    // MARK: Failures in events

    private static func events(_ text: String, type: String = "text/event-stream") async -> any Error {
        let stubs = Stubs()
        stubs.on().answer(.status(200, headers: ["Content-Type": type], data: Data(text.utf8)))
        do {
            try await stubs.run { for try await _ in Chat().eachValue() {} }
            return CancellationError()
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "event: error\ndata: {\"reason\": \"busy\"}\n\n", "data: {\"error\": {}, \"reason\": \"busy\"}\n\n",
        "data: {\"a\": 1}\n\nevent: error\ndata: {\"reason\": \"busy\"}\n\n",
    ])
    func `An event that reports a failure has the API's own error, and its text`(text: String) async {
        let error = await Self.events(text)
        guard case RequestError.failureEvent(let event) = error else {
            return #expect(Bool(false), "\(error)")
        }
        #expect(event.detail(as: Problem.self) == Problem(reason: "busy"))
        #expect(event.detail(as: Silent.self) == nil)
        #expect(RequestError.failureEvent(event).detail(as: Problem.self) == Problem(reason: "busy"))
        #expect(error.localizedDescription == "The shop says: busy")
    }

    @Test func `JSON with an error in place of events fails with httpFailure and the API's own error`() async {
        let error = await Self.events(#"{"error": {}, "reason": "busy"}"#, type: "application/json")
        guard case RequestError.httpFailure(let failure) = error else {
            return #expect(Bool(false), "\(error)")
        }
        #expect(failure.statusCode == 200 && failure.detail(as: Problem.self) == Problem(reason: "busy"))
    }

    @Test func `An event that reports a failure of another form keeps the kit's text`() async {
        let error = await Self.events("event: error\ndata: busy\n\n")
        #expect(error.localizedDescription == "The server has reported a failure in an event of type “error”.")
    }
}
