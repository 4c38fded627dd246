import APIBaseKit
import Testing

// One test after another: the article's `WebServiceManager` keeps the subscriptions of all callers in one set without a lock.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ArticleTests {
    private let apps = demoServer.url.appendingPathComponent("rss/api/v2/us/apps/top-free/50/apps.json").absoluteString

    @Test func `The Combine article's sample WebServiceManager gets a feed of 50 apps`() async throws {
        let response = try await result(of: WebServiceManager.shared.getData(endpoint: apps, type: AppsResponse.self))
            .get()
        #expect(response.feed.results.count == 50)
        #expect(response.feed.results.allSatisfy { !$0.name.isEmpty })
    }

    @Test func `The Combine article's sample WebServiceManager fails with DecodingError for unexpected JSON`() async {
        let result = await result(of: WebServiceManager.shared.getData(endpoint: apps, type: [App].self))
        #expect { try result.get() } throws: { $0 is DecodingError }
    }

    @Test func `The Combine article's sample WebServiceManager fails with responseError for an unknown feed`() async {
        let nowhere = demoServer.url.appendingPathComponent("rss/nothing").absoluteString
        let result = await result(of: WebServiceManager.shared.getData(endpoint: nowhere, type: AppsResponse.self))
        #expect { try result.get() } throws: { error in
            guard case NetworkError.responseError = error else { return false }
            return true
        }
    }

    @Test func `The Combine article's sample WebServiceManager fails with Invalid URL for an empty endpoint`() async {
        let result = await result(of: WebServiceManager.shared.getData(endpoint: "", type: AppsResponse.self))
        #expect { try result.get() } throws: { $0.localizedDescription == "Invalid URL" }
    }

    /// What the future comes to, through `sink` and `store(in:)` as the article has it.
    private func result<T>(of future: Future<T, Error>) async -> Result<T, Error> {
        var cancellables = Set<AnyCancellable>()
        defer { cancellables.removeAll() }
        return await withCheckedContinuation { continuation in
            future
                .sink { completion in
                    guard case .failure(let error) = completion else { return }
                    continuation.resume(returning: .failure(error))
                } receiveValue: { value in
                    continuation.resume(returning: .success(value))
                }
                .store(in: &cancellables)
        }
    }
}
