/// The way in which a ``GraphQLAPI`` names its queries by their hashes (SHA-256, in
/// `extensions.persistedQuery.sha256Hash`). A query that is named by its hash is a `GET`, which caches can answer.
public enum PersistedQueries: Sendable, Hashable {
    /// The text is sent.
    case none

    /// The hash is sent first: a query by `GET`, a mutation by `POST`. If the server does not know it
    /// (`PERSISTED_QUERY_NOT_FOUND`), text and hash are sent by `POST`, and the server keeps them; if it keeps none
    /// (`PERSISTED_QUERY_NOT_SUPPORTED`), the text alone.
    ///
    /// Both are one attempt of the call, each with the credentials. The events of a response, as of a subscription,
    /// are not asked for again: such a leaf sets ``none``.
    case automatic

    /// Only the hash is sent, to a server that knows all texts beforehand.
    case registered
}

/// The form of a query in a request. As a local, it is the form that the server has asked for.
enum QueryForm: CallLocal {
    case text, hash, textAndHash

    static let initial = QueryForm.hash
}

extension GraphQLErrors {
    /// The longest response that can be an answer to an unknown hash, in bytes. It has no data, so it is short.
    private static let longestAnswerToHash = 64 << 10

    /// The form in which the server asks for a query whose hash it does not know; `nil` if it does not ask.
    static func formAsked(by body: Data) -> QueryForm? {
        guard body.count <= longestAnswerToHash, let errors = GraphQLErrors(in: body, by: .plain)?.errors else {
            return nil
        }
        func has(_ code: String, _ message: String) -> Bool {
            errors.contains { $0.code == code || $0.message == message }
        }
        if has("PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound") { return .textAndHash }
        return has("PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported") ? .text : nil
    }
}
