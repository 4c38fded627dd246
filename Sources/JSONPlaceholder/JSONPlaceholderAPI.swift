public import APIBaseKit

/// JSONPlaceholder, the free fake API: everything its calls share.
///
/// The leaf classes are ``UsersRequest`` and its siblings. The real service accepts changes, answers as if it had made
/// them, and stores nothing. Its models have common names: with another library of the kind imported as well, say
/// `JSONPlaceholder.User`.
open class JSONPlaceholderAPI: JSONAPI {
    private static let host = URL(string: "https://jsonplaceholder.typicode.com")

    /// The real host.
    open override class var baseURL: URL? { host }
}
