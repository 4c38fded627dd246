import APIBaseKit
import JSONPlaceholder

struct Users: APICommand {
    static let api = API.jsonPlaceholder

    let id: Int?

    func run(_ output: CallOutput) async throws {
        if let id {
            try output.show(try await UserRequest(id: id).value()) { $0.summary }
        } else {
            try output.show(try await UsersRequest().value()) { $0.summary }
        }
    }
}

struct Posts: APICommand {
    static let api = API.jsonPlaceholder

    let userID: Int?

    func run(_ output: CallOutput) async throws {
        let posts =
            if let userID { try await UserPostsRequest(userID: userID).value() } else {
                try await PostsRequest().value()
            }
        try output.show(posts) { "\($0.id ?? 0)\t\($0.title)" }
    }
}

extension JSONPlaceholder.User {
    fileprivate var summary: String { "\(id ?? 0)\t\(name)\t\(email)" }
}

extension Command {
    static let users = Command.api("users", "[ID]", summary: "JSONPlaceholder: list all users, or show one") {
        Users(id: try $0.id("the ID of a user"))
    }

    static let posts = Command.api("posts", summary: "JSONPlaceholder: list posts", options: [.user]) {
        Posts(userID: try $0.number(.user, in: 1...Int.max))
    }
}

extension Arguments {
    /// Takes the next operand as a positive number.
    mutating func id(_ name: String) throws -> Int? {
        guard let text = next() else { return nil }
        guard let id = Int(text), id > 0 else {
            throw UsageError.badValue(name, text, "a whole number from 1")
        }
        return id
    }
}

extension Option {
    fileprivate static let user = Option("--user", value: "ID", "only posts of this user")
}
