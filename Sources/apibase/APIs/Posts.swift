import APIBaseKit
import JSONPlaceholder

/// `apibase posts`.
struct Posts: APICall {
    static let api = API.jsonPlaceholder

    let userID: Int?

    func run(_ output: CallOutput, anyKey: Bool) async throws {
        let posts =
            if let userID { try await UserPostsRequest(userID: userID).value() } else {
                try await PostsRequest().value()
            }
        try output.show(posts) { "\($0.id ?? 0)\t\($0.title)" }
    }
}

extension Command {
    static let posts = Command.api("posts", summary: "JSONPlaceholder: all posts", options: [.user]) {
        arguments throws(UsageError) in Posts(userID: try arguments.number(.user, in: 1...Int.max))
    }
}

extension Option {
    fileprivate static let user = Option("--user", value: "ID", "only those of one user")
}
