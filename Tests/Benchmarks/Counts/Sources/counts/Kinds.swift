import APIBaseKit

class CountedAPI: JSONAPI {
    nonisolated(unsafe) static var server: URL?  // set before the first call
    override class var baseURL: URL? { server }
}

struct Item: Codable, Sendable {
    let id: Int
    let title: String
    let done: Bool
}

final class ItemRequest: CountedAPI, Request {
    typealias ModelType = Item
    override init() { super.init(.get("/item")) }
}

final class ListRequest: CountedAPI, Request {
    typealias ModelType = [Item]
    override init() { super.init(.get("/list")) }
}

final class BytesRequest: CountedAPI, Request {
    typealias ModelType = Data
    override init() { super.init(.get("/item")) }
}

final class CreateRequest: CountedAPI, Request {
    typealias ModelType = Item
    init(_ item: Item) { super.init(.post("/item", json: item)) }
}

final class EventsRequest: CountedAPI, EventRequest {
    typealias EventType = Item
    let endMark: String? = "[DONE]"
    init(_ count: Int) { super.init(.get("/events\(count)")) }
}

final class LinesRequest: CountedAPI {
    override init() { super.init(.get("/lines")) }
}

/// The kinds of calls that are counted, by name.
let kinds: [(name: String, call: @Sendable () async throws -> Void)] = [
    ("value() of a model", { _ = try await ItemRequest().value() }),
    ("value() of a list of ten", { _ = try await ListRequest().value() }),
    ("value() of bytes", { _ = try await BytesRequest().value() }),
    ("start() of a model", { try await finish(ItemRequest().start()) }),
    ("start() of bytes", { try await finish(BytesRequest().start()) }),
    ("value() after a body", { _ = try await CreateRequest(Item(id: 1, title: "a", done: true)).value() }),
    (
        "value() with a token, another decoder and retries",
        {
            let request = ItemRequest()
            request.authorization = .bearer("secret")
            request.decoder.dateDecodingStrategy = .iso8601
            request.retry = .standard
            _ = try await request.value()
        }
    ),
    ("three events", { for try await _ in EventsRequest(3).eachValue() {} }),
    ("a thousand events", { for try await _ in EventsRequest(1_000).eachValue() {} }),
    ("three lines", { for try await _ in LinesRequest().eachValue(of: Item.self) {} }),
]

/// Waits for the end of a publisher, with as little as possible besides.
private func finish<Value>(_ publisher: AnyPublisher<Value, any Error>) async throws {
    try await withUnsafeThrowingContinuation { continuation in
        publisher.subscribe(Waiter(continuation))
    }
}

private final class Waiter<Input>: Subscriber {
    typealias Failure = any Error

    private let continuation: UnsafeContinuation<Void, any Error>

    init(_ continuation: UnsafeContinuation<Void, any Error>) { self.continuation = continuation }

    func receive(subscription: any Subscription) { subscription.request(.unlimited) }
    func receive(_ input: Input) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<any Error>) {
        switch completion {
        case .finished: continuation.resume()
        case .failure(let error): continuation.resume(throwing: error)
        }
    }
}
