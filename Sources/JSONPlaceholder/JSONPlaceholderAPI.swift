public import APIBaseKit

/// JSONPlaceholder, the free fake API: the base class of its calls.
///
/// The requests are ``UsersRequest`` and its siblings. The real service accepts changes and answers as if it had made
/// them, but stores nothing. If another imported library has models of the same name, write `JSONPlaceholder.User`.
open class JSONPlaceholderAPI: JSONAPI {
    private static let host = URL(string: "https://jsonplaceholder.typicode.com")

    /// The real host.
    open override class var baseURL: URL? { host }
}
