#if !os(Linux) && !os(Android)
extension DefaultSession {
    static func makeShared() -> any HTTPSession { HardenedSession() }
}
#endif
