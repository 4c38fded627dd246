// Sources/readblog/ReadBlog.swift
import TutorialBlog

@main struct ReadBlog {
    static func main() async {
        do {
            for line in try await frontPage() { print(line) }
        } catch {
            print("The blog cannot be read: \(error)")
        }
    }
}
