#if os(Linux) || os(Android)
extension DefaultSession {
    static func makeShared() -> any HTTPSession {
        CurlSession.isAvailable ? CurlSession() : HardenedSession()
    }
}
#endif
