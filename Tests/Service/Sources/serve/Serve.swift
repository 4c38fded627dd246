import FeedService

@main struct Serve {
    static func main() async throws { try await runService() }
}
