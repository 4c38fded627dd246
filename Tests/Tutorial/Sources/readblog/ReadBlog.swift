// Sources/readblog/ReadBlog.swift
import TutorialBlog

@main struct ReadBlog {
    static func main() async throws {
        for line in try await frontPage() { print(line) }
    }
}
