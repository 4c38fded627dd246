import APIBaseKit
import AppleRSS
import JSONPlaceholder
import TodoDemo
import Unsplash

extension Call {
    /// Makes the call, with the API's own base URL if `url` is `nil`, and writes what it gives. `anyKey` says that nobody
    /// will ask for a key.
    func run(at url: URL?, anyKey: Bool, json: Bool, output: Output) async throws {
        guard let url else { return try await run(anyKey: anyKey, json: json, output: output) }
        try await api.base.withBaseURL(url) {
            try await run(anyKey: anyKey || url.isLoopback, json: json, output: output)
        }
    }

    private func run(anyKey: Bool, json: Bool, output: Output) async throws {
        switch self {
        case .users(let id?):
            try output.show(try await UserRequest(id: id).value(), json) { $0.summary }
        case .users(nil):
            try output.show(try await UsersRequest().value(), json) { $0.summary }
        case .posts(let userID?):
            try output.show(try await UserPostsRequest(userID: userID).value(), json) { $0.summary }
        case .posts(nil):
            try output.show(try await PostsRequest().value(), json) { $0.summary }
        case .photos(let search, let page, let perPage):
            let photos = try await photos(search: search, page: page, perPage: perPage, anyKey: anyKey)
            try output.show(photos, json) { $0.summary }
        case .apps(let country, let count):
            let feed = try await TopFreeAppsRequest(country: country, count: count).value()
            try output.show(feed.results, json) { "\($0.name), by \($0.artistName)" }
        case .todos(let account, let action):
            try await action.run(try await account.token(), json: json, output: output)
        }
    }

    private func photos(
        search: String?,
        page: Int,
        perPage: Int,
        anyKey: Bool
    ) async throws -> [Unsplash.Photo] {
        // The demo server takes any key; the real host and others want one from the environment.
        let key = anyKey ? "demo" : nil
        guard let search else {
            return try await PhotosRequest(page: page, perPage: perPage, accessKey: key).value()
        }
        return try await SearchPhotosRequest(query: search, page: page, perPage: perPage, accessKey: key).value()
            .results
    }
}

extension Call.Account {
    /// Logs in, after creating the account if it is a new one.
    fileprivate func token() async throws -> Token {
        if isNew {
            _ = try await CreateUserRequest(NewUser(name: email, email: email, password: password)).value()
        }
        return try await LoginRequest(email: email, password: password).value()
    }
}

extension Call.TodoAction {
    fileprivate func run(_ token: Token, json: Bool, output: Output) async throws {
        switch self {
        case .list:
            try output.show(try await TodosRequest(token: token).value(), json) { $0.summary }
        case .add(let title):
            let todo = try await CreateTodoRequest(TodoDemo.Todo(title: title), token: token).value()
            try output.show(todo, json) { $0.summary }
        case .delete(let id):
            try await DeleteTodoRequest(id: id, token: token).value()
        }
    }
}

extension URL {
    fileprivate var isLoopback: Bool { host == "127.0.0.1" || host == "localhost" }
}

extension Output {
    /// Writes a value as JSON, or as a line.
    fileprivate func show<Value: Encodable>(_ value: Value, _ json: Bool, _ summary: (Value) -> String) throws {
        json ? try self.json(value) : line(summary(value))
    }

    /// Writes values as JSON, or a line for each.
    fileprivate func show<Value: Encodable>(_ values: [Value], _ json: Bool, _ summary: (Value) -> String) throws {
        guard !json else { return try self.json(values) }
        if values.isEmpty { line("(none)") }
        for value in values { line(summary(value)) }
    }
}

extension JSONPlaceholder.User {
    fileprivate var summary: String { "\(id ?? 0)\t\(name)\t\(email)" }
}

extension Post {
    fileprivate var summary: String { "\(id ?? 0)\t\(title)" }
}

extension Unsplash.Photo {
    fileprivate var summary: String { "\(id)\t\(width)×\(height)\t\(altDescription ?? user.name)" }
}

extension TodoDemo.Todo {
    fileprivate var summary: String { "\(id ?? 0)\t\(title)" }
}
