#if os(Linux) || os(Android)
extension CurlSession {
    /// The outcome for files that have changed while the session works.
    ///
    /// ``Configuration/identity`` and ``Configuration/certificateAuthorities`` are read anew when their files change.
    /// The content that was good last stays in use until there is another that is.
    public struct FileChange: Sendable, Hashable {
        /// The setting: `identity` or `certificateAuthorities`.
        public let setting: String

        /// The reason why the files cannot be used as they are now; nil if new connections use them.
        public let problem: String?
    }
}

extension CurlSession.FileChange: CustomStringConvertible {
    /// A sentence for a log. It names files, and nothing of their content.
    public var description: String {
        guard let problem else { return "The changed files of \(setting) are in use" }
        return "The changed files of \(setting) cannot be used, and the ones before stay in use: \(problem)"
    }
}
#endif
