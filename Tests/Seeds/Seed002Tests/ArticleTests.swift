import APIBaseKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ArticleTests {
    @Test func `The Combine article's sample API client gets photos that each have a thumbnail URL`() async throws {
        var subscription: AnyCancellable?
        defer { subscription?.cancel() }
        let result: Result<[ImageData], API.Error> = await withCheckedContinuation { continuation in
            subscription = API().photos().sink { completion in
                guard case .failure(let error) = completion else { return }
                continuation.resume(returning: .failure(error))
            } receiveValue: { photos in
                continuation.resume(returning: .success(photos))
            }
        }
        let photos = try result.get()
        #expect(!photos.isEmpty)
        #expect(photos.allSatisfy { $0.urls["thumb"] != nil })
    }
}
