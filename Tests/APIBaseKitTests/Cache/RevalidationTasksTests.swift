import APIBaseKit
import Basics
import Testing

@testable import APIBaseCache
@testable import APIBaseCore

@Suite struct RevalidationTasksTests {
    private typealias Replies = ReplyPublisher

    private let tasks = RevalidationTasks()
    private let count = Locked(0)

    private func run(_ url: String, _ replies: Replies) {
        tasks.run(for: ResponseKey(url: url, user: "")) {
            count.withLock { $0 += 1 }
            return replies
        }
    }

    @Test func `A second revalidation for a cache key does not start while the first one runs`() {
        let subject = PassthroughSubject<StreamedReply, any Error>()
        for url in ["a", "a", "b", "a"] { run(url, subject.eraseToAnyPublisher()) }
        #expect(count.withLock { $0 } == 2)
        subject.send(completion: .finished)
        for url in ["a", "b"] { run(url, subject.eraseToAnyPublisher()) }
        #expect(count.withLock { $0 } == 4)
    }

    @Test func `A revalidation that ends at once does not block the next one for its cache key`() {
        for _ in 0..<3 { run("a", Empty().eraseToAnyPublisher()) }
        for _ in 0..<3 { run("a", Fail(error: CancellationError()).eraseToAnyPublisher()) }
        #expect(count.withLock { $0 } == 6)
    }

    @Test func `A background revalidation is not canceled when nothing else holds a reference to it`() {
        let isCancelled = Locked(false)
        let subject = PassthroughSubject<StreamedReply, any Error>()
        run("a", subject.handleEvents(receiveCancel: { isCancelled.withLock { $0 = true } }).eraseToAnyPublisher())
        #expect(!isCancelled.withLock { $0 })
    }
}
