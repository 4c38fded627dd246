/// The session for all requests without a session of their own.
public enum DefaultSession {
    /// One session for the process, so that all requests share its connections: without cookies, cache and stored
    /// credentials.
    ///
    /// On Linux it is a `CurlSession` with its default configuration. On Apple systems, and where libcurl is not found,
    /// it is a hardened `URLSession` with six connections for each host.
    public static let shared: any HTTPSession = makeShared()
}
