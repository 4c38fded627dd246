// swift-format-ignore-file
// The samples of the article on other formats and protocols.

import APIBaseTesting
import TestTiers
import Testing

// sample x
class CatalogAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://catalog.example/v1") }

    override func configure() {
        super.configure()
        acceptedTypes = ["application/x-plist"]
    }

    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try PropertyListDecoder().decode(type, from: data)
    }
}
// end

// sample x
final class LicenseRequest: BooksAPI, Request {
    typealias ModelType = String
    override init() { super.init(.get("/license.txt")) }
}
// end

// sample x
final class TopBooksRequest: BooksAPI, Request {
    override init() { super.init(.get("/top")) }

    func start() -> AnyPublisher<[Book], any Error> { decoded([Book].self, at: "data.items") }
}
// end

// sample x
/// What the compiler of Protocol Buffers writes for each message.
nonisolated protocol ProtobufMessage {
    init(serializedBytes: Data) throws
    func serializedData() throws -> Data
}

class StationsAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://stations.example/v1") }

    override func configure() {
        super.configure()
        acceptedTypes = ["application/x-protobuf"]
    }

    func message<Message: ProtobufMessage>(_ type: Message.Type) -> AnyPublisher<Message, any Error> {
        sendRequest().tryMap { try Message(serializedBytes: $0.data) }.eraseToAnyPublisher()
    }
}

final class AddStationRequest: StationsAPI, Request {
    init(_ station: Station) throws {
        let bytes = try station.serializedData()
        super.init(.post("/stations", content: .data(bytes, type: "application/x-protobuf")))
    }

    func start() -> AnyPublisher<Station, any Error> { message(Station.self) }
}
// end

nonisolated struct Station: ProtobufMessage, Equatable {
    var name: String

    init(name: String) { self.name = name }
    init(serializedBytes: Data) throws { name = String(decoding: serializedBytes, as: UTF8.self) }
    func serializedData() throws -> Data { Data(name.utf8) }
}

// sample x
class WalletAPI: JSONAPI {
    struct Call: Encodable {
        let jsonrpc = "2.0"
        let id = 1
        let method: String
        let params: [JSONValue]
    }

    struct Problem: Error, Decodable {
        var code: Int
        var message: String
    }

    struct Response<Result: Decodable>: Decodable {
        var result: Result?
        var error: Problem?
    }

    override class var baseURL: URL? { URL(string: "https://wallet.example/rpc") }

    init(_ method: String, _ params: [JSONValue] = []) {
        super.init(.post("", json: Call(method: method, params: params)))
    }

    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        let response = try super.decode(Response<Model>.self, from: data)
        if let error = response.error { throw error }
        guard let result = response.result else { throw RequestError.noValue }
        return result
    }
}

final class BalanceRequest: WalletAPI, Request {
    typealias ModelType = Int
    init(of account: String) { super.init("balance", [.string(account)]) }
}
// end

// sample x
final class UpdatesRequest: BooksAPI, Request {
    struct Update: Decodable {
        var id: Int
        var text: String
    }

    typealias ModelType = [Update]

    init(after id: Int) {
        super.init(.get("/updates", query: ["offset": id + 1, "wait": 50]))
        (timeout, limits.idle) = (.seconds(75), .seconds(75))
        retry = RetryPolicy(attempts: 10)
    }
}

nonisolated(nonsending) func follow(after last: Int, show: (String) -> Void) async throws {
    var last = last
    while true {
        for update in try await UpdatesRequest(after: last).value() {
            show(update.text)
            last = max(last, update.id)
        }
    }
}
// end

@Suite(.limited) struct FormatSampleTests {
    nonisolated struct Item: Codable, Equatable { var name: String }

    final class ItemRequest: CatalogAPI, Request {
        typealias ModelType = Item
        override init() { super.init(.get("/item")) }
    }

    @Test(.stubs { stubs in
        stubs.on(.get, "/item").answer { _ in
            let data = try PropertyListEncoder().encode(Item(name: "Swift"))
            return .status(200, headers: ["Content-Type": "application/x-plist"], data: data)
        }
    })
    func `The sample for property lists decodes a property list`() async throws {
        #expect(try await ItemRequest().value() == Item(name: "Swift"))
    }

    @Test(.stubs { stubs in
        stubs.on(.post, "/stations", headers: ["Content-Type": "application/x-protobuf"]).answer { call in
            .status(200, headers: ["Content-Type": "application/x-protobuf"], data: call.body + Data("!".utf8))
        }
    })
    func `The sample for Protocol Buffers sends a message and reads the response`() async throws {
        #expect(try await AddStationRequest(Station(name: "North")).value() == Station(name: "North!"))
    }

    @Test(.stubs { stubs in
        stubs.on(.get, "/v2/license.txt").answer(.text("Free"))
        stubs.on(.get, "/v2/top").answer(.json(#"{"data": {"items": [{"id": 1, "title": "T"}], "total": 1}}"#))
    })
    func `The samples read a plain text and a nested part of a JSON response`() async throws {
        #expect(try await LicenseRequest().value() == "Free")
        #expect(try await TopBooksRequest().value().map(\.title) == ["T"])
    }

    @Test(.stubs { stubs in
        stubs.on(.post, "/rpc", body: .json(containing: #"{"method": "balance", "params": ["a"]}"#))
            .answer(.json(#"{"jsonrpc": "2.0", "id": 1, "result": 7}"#))
        stubs.on(.post, "/rpc").answer(.json(#"{"id": 1, "error": {"code": -32602, "message": "no account"}}"#))
    })
    func `The sample for JSON-RPC returns the result or throws the error of the response`() async throws {
        #expect(try await BalanceRequest(of: "a").value() == 7)
        let error = await #expect(throws: WalletAPI.Problem.self) { try await BalanceRequest(of: "b").value() }
        #expect(error?.code == -32602)
    }

    @Test(.stubs { stubs in
        stubs.on(.get, "/updates", query: ["offset": "1"]).answer(.json(#"[{"id": 1, "text": "a"}]"#))
        stubs.on(.get, "/updates", query: ["offset": "2"])
            .answer(inOrder: .json("[]"), .json(#"[{"id": 2, "text": "b"}]"#))
        stubs.on(.get, "/updates", query: ["offset": "3"]).answer(.status(404))
    })
    func `The sample for long polling shows each update once until a request fails`() async throws {
        var texts: [String] = []
        await #expect(throws: RequestError.self) { try await follow(after: 0) { texts.append($0) } }
        #expect(texts == ["a", "b"])
    }
}
