import DemoServer
import Foundation
import Basics
import RawClient
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct TodoAPITests {
    private struct Token: Decodable {
        let string: String
        let id: Int
        let userID: Int
        let expiresAt: Date
    }

    private struct Todo: Decodable, Equatable {
        let id: Int
        let title: String
        let userID: Int
    }

    private func newUser(_ number: Int) -> String {
        let password = "password\(number)"
        return #"{"name":"user","email":"user\#(number)@example.com","password":"\#(password)","#
            + #""verifyPassword":"\#(password)"}"#
    }

    /// A new user's token.
    private func token(_ server: RunningServer, _ number: Int) throws -> Token {
        #expect(try server.send("POST", "/users", json: newUser(number)).status == 200)
        let credentials = basic("user\(number)@example.com", "password\(number)")
        let response = try server.send("POST", "/login", ["Authorization": credentials])
        #expect(response.status == 200)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Token.self, from: Data(response.body))
    }

    @Test
    func `The demo server answers a new user with the exact JSON of the published article and the next ID`() throws {
        let server = try RunningServer()
        let json =
            #"{ "name": "user", "email": "user@example.com", "password": "password123", "#
            + #""verifyPassword": "password123" }"#
        let response = try server.send("POST", "/users", json: json)
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "application/json; charset=utf-8")
        #expect(response.text == #"{"id":1,"email":"user@example.com","name":"user"}"#)
        #expect(try server.send("POST", "/users", json: newUser(2)).text.hasPrefix(#"{"id":2,"#))
    }

    /// Deep, but not too deep; to read it takes a time that grows with the square of the depth.
    private static let depth = runsAllTests ? 500 : 250

    static let badUsers = [
        ("", 400, "empty"),
        ("{", 400, "not valid JSON"),
        ("[]", 400, "not a JSON object"),
        (String(repeating: "[", count: 100_000), 400, "not valid JSON"),
        (#"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}", 400, "'name'"),
        ("{}", 400, "'name'"),
        (#"{"name":"a"}"#, 400, "'email'"),
        (#"{"name":"a","email":"a@b.c"}"#, 400, "'password'"),
        (#"{"name":"a","email":"a@b.c","password":"12345678"}"#, 400, "'verifyPassword'"),
        (#"{"name":1,"email":"a@b.c","password":"12345678","verifyPassword":"12345678"}"#, 400, "not of type 'String'"),
        (#"{"name":null,"email":"a@b.c","password":"12345678","verifyPassword":"12345678"}"#, 400, "'name'"),
        (#"{"name":"","email":"a@b.c","password":"12345678","verifyPassword":"12345678"}"#, 400, "name is empty"),
        (#"{"name":"a","email":"ab.c","password":"12345678","verifyPassword":"12345678"}"#, 400, "email is not"),
        (#"{"name":"a","email":"a@b.c","password":"1234567","verifyPassword":"1234567"}"#, 400, "minimum of 8"),
        (#"{"name":"a","email":"a@b.c","password":"12345678","verifyPassword":"12345679"}"#, 400, "must match"),
    ]

    @Test(arguments: badUsers)
    func `The demo server refuses a new user with an invalid body with status 400 and a reason`(
        _ json: String,
        status: Int,
        reason: String
    ) throws {
        let response = try RunningServer().send("POST", "/users", json: json)
        #expect(response.status == status)
        let refusal = try response.json(Refusal.self)
        #expect(refusal.error)
        #expect(refusal.reason.contains(reason))
    }

    @Test func `The demo server refuses a second user with the same email, ignoring case, with status 400`() throws {
        let server = try RunningServer()
        #expect(try server.send("POST", "/users", json: newUser(1)).status == 200)
        let response = try server.send("POST", "/users", json: newUser(1).replacingOccurrences(of: "@ex", with: "@EX"))
        #expect(response.status == 400)
        #expect(try response.json(Refusal.self).reason.contains("already exists"))
    }

    @Test func `The demo server refuses a new user whose Content-Type is not JSON with status 415`() throws {
        let server = try RunningServer()
        let headers: KeyValuePairs = ["Content-Type": "text/plain", "Content-Length": "0"]
        #expect(try server.send("POST", "/users", headers).status == 415)
        #expect(try server.send("POST", "/users").status == 415)
    }

    @Test func `A login on the demo server gives a token that expires after five hours`() throws {
        let now = Date(timeIntervalSince1970: 1_000_000)
        var configuration = DemoAPIServer.Configuration()
        configuration.now = { now }
        let server = try RunningServer(configuration)
        let token = try token(server, 7)
        #expect(token.userID == 1)
        #expect(token.id == 1)
        #expect(token.expiresAt == now + 5 * 3_600)
    }

    static let badLogins: [String?] = [
        nil, "", "Basic", "Basic ", "Basic !!!", "Basic " + Data("nocolon".utf8).base64EncodedString(),
        "Basic " + Data([0xFF, 0x3A, 0xFF]).base64EncodedString(), "Bearer abc",
        basic("user1@example.com", ""), basic("user1@example.com", "password"),
        basic("user1@example.com", "password12"),
        basic("other@example.com", "password1"), basic("", ""),
    ]

    @Test(arguments: badLogins)
    func `The demo server answers a wrong login with 401, without WWW-Authenticate, as Foundation would hang`(
        _ authorization: String?
    ) throws {
        let server = try RunningServer()
        _ = try server.send("POST", "/users", json: newUser(1))
        let response =
            try authorization.map { try server.send("POST", "/login", ["Authorization": $0]) }
            ?? server.send("POST", "/login")
        #expect(response.status == 401)
        #expect(response["WWW-Authenticate"] == nil)
        #expect(try response.json(Refusal.self).error)
    }

    @Test func `A login on the demo server succeeds when the password contains colons`() throws {
        let server = try RunningServer()
        let json = #"{"name":"a","email":"a@b.c","password":"12:34:56:","verifyPassword":"12:34:56:"}"#
        _ = try server.send("POST", "/users", json: json)
        #expect(try server.send("POST", "/login", ["Authorization": basic("a@b.c", "12:34:56:")]).status == 200)
    }

    @Test func `A demo server user creates, lists and deletes todos, and an unknown todo has status 404`() throws {
        let server = try RunningServer()
        let bearer: KeyValuePairs = ["Authorization": "Bearer \(try token(server, 1).string)"]
        #expect(try server.send("GET", "/todos", bearer).text == "[]")
        let made = try server.send("POST", "/todos", bearer, json: #"{"title":"Learn \"Swift\" 🐦"}"#)
        #expect(made.status == 200)
        #expect(try made.json(Todo.self) == Todo(id: 1, title: "Learn \"Swift\" 🐦", userID: 1))
        _ = try server.send("POST", "/todos", bearer, json: #"{"id":9,"title":"b"}"#)
        #expect(try server.send("GET", "/todos", bearer).json([Todo].self).map(\.id) == [1, 2])
        let deleted = try server.send("DELETE", "/todos/1", bearer)
        #expect(deleted.status == 200)
        #expect(try deleted.json(Todo.self).id == 1)
        #expect(try server.send("GET", "/todos", bearer).json([Todo].self).map(\.id) == [2])
        #expect(try server.send("DELETE", "/todos/1", bearer).status == 404)
        #expect(try server.send("DELETE", "/todos/x", bearer).status == 404)
        #expect(try server.send("POST", "/todos", bearer, json: "{}").status == 400)
    }

    @Test func `A demo server user neither sees nor deletes the todos of another user`() throws {
        let server = try RunningServer()
        let first: KeyValuePairs = ["Authorization": "Bearer \(try token(server, 1).string)"]
        let second: KeyValuePairs = ["Authorization": "Bearer \(try token(server, 2).string)"]
        _ = try server.send("POST", "/todos", first, json: #"{"title":"mine"}"#)
        #expect(try server.send("GET", "/todos", second).text == "[]")
        #expect(try server.send("DELETE", "/todos/1", second).status == 403)
        #expect(try server.send("GET", "/todos", first).json([Todo].self).count == 1)
    }

    @Test(arguments: [("GET", "/todos"), ("POST", "/todos"), ("DELETE", "/todos/1")])
    func `The demo server answers a todo request without a valid token with 401 and a Bearer challenge`(
        _ method: String,
        _ path: String
    )
        throws
    {
        let server = try RunningServer()
        let missing = try server.send(method, path)
        #expect(missing.status == 401)
        #expect(missing["WWW-Authenticate"] == "Bearer")
        let wrong = try server.send(method, path, ["Authorization": "Bearer abc"])
        #expect(wrong.status == 401)
        #expect(wrong["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
        #expect(try server.send(method, path, ["Authorization": basic("a", "b")]).status == 401)
    }

    @Test func `The demo server refuses a token with status 401 when five hours have passed`() throws {
        let clock = Locked(Date(timeIntervalSince1970: 1_000_000))
        var configuration = DemoAPIServer.Configuration()
        configuration.now = { clock.withLock { $0 } }
        let server = try RunningServer(configuration)
        let bearer: KeyValuePairs = ["Authorization": "Bearer \(try token(server, 1).string)"]
        clock.withLock { $0 += 5 * 3_600 - 1 }
        #expect(try server.send("GET", "/todos", bearer).status == 200)
        clock.withLock { $0 += 1 }
        #expect(try server.send("GET", "/todos", bearer).status == 401)
    }

    @Test func `Todos that 20 clients create concurrently on the demo server have unique IDs`() throws {
        let server = try RunningServer()
        let bearer: KeyValuePairs = ["Authorization": "Bearer \(try token(server, 1).string)"]
        DispatchQueue.concurrentPerform(iterations: 20) { _ in
            for _ in 0..<5 {
                #expect((try? server.send("POST", "/todos", bearer, json: #"{"title":"t"}"#))?.status == 200)
            }
        }
        let ids = try server.send("GET", "/todos", bearer).json([Todo].self).map(\.id)
        #expect(ids.sorted() == Array(1...100))
    }
}
