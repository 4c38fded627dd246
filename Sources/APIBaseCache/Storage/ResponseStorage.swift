/// A place in which a cache keeps its responses. Implement it to keep them elsewhere than in memory or in a folder.
///
/// The cache notices bytes that come back cut off or changed, and ignores them.
public protocol ResponseStorage: Sendable {
    /// The bytes that were stored last; nil if nothing is stored.
    func data(for key: ResponseKey) async throws -> Data?

    /// Stores bytes, in place of those that were stored before.
    func store(_ data: Data, for key: ResponseKey) async throws

    /// Removes what is stored for a URL, for all users.
    func removeAll(for url: ResponseKey.URLDigest) async throws

    /// Removes everything.
    func removeAll() async throws
}
