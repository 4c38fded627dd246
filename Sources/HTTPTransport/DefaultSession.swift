/// The session to use where there is no reason for another.
public enum DefaultSession {
    /// One session for the process, so that all requests share its connections: without cookies, cache and stored
    /// credentials.
    ///
    /// On Linux it is a `CurlSession` with its default configuration, or, where libcurl is not found, what serves
    /// elsewhere: a hardened `URLSession` with six connections for each host.
    public static let shared: any HTTPSession = makeShared()
}
