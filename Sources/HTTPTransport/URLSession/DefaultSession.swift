/// The session to use where there is no reason for another.
public enum DefaultSession {
    /// One session for the process, so that all requests share its connections: a hardened `URLSession`, without cookies,
    /// cache and stored credentials, with six connections for each host.
    public static let shared: any HTTPSession = HardenedSession()
}
