import APIBaseRecording
import APIBaseSockets
import AppleRSS
import DemoServer
import Foundation
import JSONPlaceholder
import TestTiers
import Testing
import TodoDemo
import Unsplash

/// All four APIs with the demo server, and then replayed without it.
@Suite(.tags(.concurrent), .limited) struct AllAPIsTests {
    private let folder = TemporaryFolder()

    /// The results of the four APIs as text.
    private struct Results: Equatable {
        var lines: [String] = []
    }

    /// Every kind of call: lists, single values, changes, pages, a search, feeds, a login and its todos.
    private func callEverything(at url: URL, over session: any HTTPSession) async throws -> Results {
        func at<Call: APIBase>(_ path: String, _ call: Call) -> Call {
            call.baseURL = path.isEmpty ? url : url.appendingPathComponent(path)
            call.session = session
            return call
        }
        var results = Results()
        func note(_ value: some Encodable) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            results.lines.append(String(decoding: try encoder.encode(value), as: UTF8.self))
        }
        try note(try await at("jsonplaceholder", JSONPlaceholder.UsersRequest()).value())
        try note(try await at("jsonplaceholder", PostRequest(id: 1)).value())
        try note(try await at("jsonplaceholder", CreatePostRequest(Post(userId: 1, title: "Käse", body: "😀"))).value())
        try note(try await at("unsplash", PhotosRequest(page: 2, perPage: 5, accessKey: "demo")).value())
        try note(try await at("unsplash", SearchPhotosRequest(query: "book at night", accessKey: "demo")).value())
        try note(try await at("rss/api/v2", TopFreeAppsRequest(count: 10)).value())

        let account = NewUser(name: "Demo", email: "demo@example.com", password: "password123")
        try note(try await at("", CreateUserRequest(account)).value())
        let token = try await at("", LoginRequest(email: account.email, password: account.password)).value()
        let todo = try await at("", CreateTodoRequest(TodoDemo.Todo(title: "Learn"), token: token)).value()
        try note(todo)
        try note(try await at("", TodosRequest(token: token)).value())
        try await at("", DeleteTodoRequest(id: todo.id ?? 0, token: token)).value()
        do {
            _ = try await at("", TodosRequest(token: Token("not-a-valid-token"))).value()
        } catch RequestError.httpFailure(let failure) {
            results.lines.append("\(failure.statusCode) \(String(decoding: failure.body, as: UTF8.self))")
        }
        return results
    }

    @Test
    func `A recording of all demo APIs replays the server's responses byte for byte, except for secrets`() async throws
    {
        let server = DemoAPIServer()
        let url = try server.start()
        let live = Tap(DefaultSession.shared)
        let recording = try Recording(file: folder.file(), mode: .once, over: live)
        let recorded = Tap(recording)
        let results = try await callEverything(at: url, over: recorded)
        try recording.save()
        server.stop()
        #expect(recorded.replies.count == 12)
        #expect(recorded.replies == live.replies)

        let replayed = Tap(try Recording(file: folder.file(), mode: .replay))
        #expect(try await callEverything(at: url, over: replayed) == results)
        #expect(replayed.replies.map(\.withoutChallenge) == live.replies.map(\.withoutChallenge).withoutToken)
    }

    @Test
    func `A socket of the demo server is recorded without frames, and replayed without the server`() async throws {
        let server = DemoAPIServer()
        let url = try server.start()
        defer { server.stop() }
        func change() async throws -> TodoChange? {
            func at<Call: APIBase>(_ call: Call) -> Call {
                call.baseURL = url
                return call
            }
            let account = NewUser(name: "Demo", email: "demo@example.com", password: "password123")
            _ = try await at(CreateUserRequest(account)).value()
            let token = try await at(LoginRequest(email: account.email, password: account.password)).value()
            let socket = try await at(TodoFeed(token: token)).connect()
            _ = try await at(CreateTodoRequest(TodoDemo.Todo(title: "Learn"), token: token)).value()
            for try await change in socket.messages { return change }
            return nil
        }
        let recorded = try await Recording(file: folder.file()).run { try await change() }
        #expect(recorded != nil)
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(text.contains(#""_resourceType" : "websocket""#))
        #expect(text.components(separatedBy: "Learn").count == 4, "in the request, its response, and the message")
        server.stop()
        #expect(try await Recording(file: folder.file(), mode: .replay).run { try await change() } == recorded)
    }
}

extension Tap.Reply {
    /// `WWW-Authenticate` is one of the secret headers.
    fileprivate var withoutChallenge: Tap.Reply {
        var reply = self
        for index in headers.indices where headers[index][0] == "WWW-Authenticate" {
            reply.headers[index][1] = "REDACTED"
        }
        return reply
    }
}

extension [Tap.Reply] {
    /// The only secret in a body is the token in the login's response.
    fileprivate var withoutToken: [Tap.Reply] {
        map { reply in
            guard let login = try? JSONDecoder().decode(Login.self, from: reply.body) else { return reply }
            var reply = reply
            let length = reply.body.count
            reply.body = Data(
                String(decoding: reply.body, as: UTF8.self).replacingOccurrences(of: login.string, with: "REDACTED")
                    .utf8
            )
            for index in reply.headers.indices where reply.headers[index] == ["Content-Length", "\(length)"] {
                reply.headers[index][1] = "\(reply.body.count)"
            }
            return reply
        }
    }
}

/// The body of the response to a login.
private struct Login: Decodable {
    let string: String
}
