import APIBaseKit
import JSONPlaceholder

/// `apibase users`.
struct Users: APICall {
    static let api = API.jsonPlaceholder

    let id: Int?

    func run(_ output: CallOutput, anyKey: Bool) async throws {
        if let id {
            try output.show(try await UserRequest(id: id).value()) { $0.summary }
        } else {
            try output.show(try await UsersRequest().value()) { $0.summary }
        }
    }
}

extension Command {
    static let users = Command.api("users", "[ID]", summary: "JSONPlaceholder: all users, or one") {
        arguments throws(UsageError) in Users(id: try arguments.id("the id of a user"))
    }
}

extension Arguments {
    /// The next argument as a number that names something.
    mutating func id(_ what: String) throws(UsageError) -> Int? {
        guard let text = next() else { return nil }
        guard let id = Int(text), id > 0 else {
            throw .badValue(option: what, value: text, expected: "a whole number from 1")
        }
        return id
    }
}

extension JSONPlaceholder.User {
    fileprivate var summary: String { "\(id ?? 0)\t\(name)\t\(email)" }
}
