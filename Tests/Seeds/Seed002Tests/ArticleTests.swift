import APIBaseKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ArticleTests {
    @Test func `The article's API client gets photos that have thumbnails`() async throws {
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
