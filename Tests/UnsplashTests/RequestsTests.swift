import APIBaseContract
import DemoServer
import TestTiers
import Testing
import Unsplash

@Suite(.document("openapi.json"), .limited) struct RequestsTests {
    @Test(.stubs { $0.on(document: try APIDocument(file: "openapi.json")) })
    func `Each Unsplash request sends its path and query, and the access key as Client-ID authorization`() async throws
    {
        _ = try await LenientPhotosRequest(page: 2, perPage: 7, accessKey: "key").value()
        _ = try await PhotosRequest(accessKey: "key").value()
        _ = try await PhotoRequest(id: "a/b", accessKey: "key").value()
        _ = try await RandomPhotoRequest(accessKey: "key").value()
        _ = try await SearchPhotosRequest(query: "salt & pepper=1+1", accessKey: "key").value()
        #expect(Stubs.current?.calls.allSatisfy { $0.headers["Authorization"] == "Client-ID key" } == true)
        #expect(
            Stubs.current?.calls.map(\.description) == [
                "GET https://api.unsplash.com/photos?page=2&per_page=7",
                "GET https://api.unsplash.com/photos?page=1&per_page=10", "GET https://api.unsplash.com/photos/a%2Fb",
                "GET https://api.unsplash.com/photos/random",
                "GET https://api.unsplash.com/search/photos?query=salt%20%26%20pepper%3D1%2B1&page=1&per_page=10",
            ]
        )
    }

    @Test(.stubs { _ in })
    func `An Unsplash request with an empty access key fails with noAccessKey and is not sent`() async {
        await #expect(throws: UnsplashError.noAccessKey) { try await PhotosRequest(accessKey: "").value() }
        #expect(Stubs.current?.calls.isEmpty == true)
    }

    @Test func `Unsplash requests read pages of photos, one photo and a search from the demo server`() async throws {
        let server = DemoAPIServer()
        let base = try server.start().appendingPathComponent("unsplash")
        defer { server.stop() }
        func value<Call: UnsplashAPI & Request>(_ request: Call) async throws -> Call.ModelType {
            request.baseURL = base
            return try await request.value()
        }
        let first = try await value(PhotosRequest(page: 1, perPage: 7, accessKey: "key"))
        let second = try await value(PhotosRequest(page: 2, perPage: 7, accessKey: "key"))
        #expect(first.count == 7)
        #expect(Set(first.map(\.id)).isDisjoint(with: second.map(\.id)))
        #expect(try await value(PhotoRequest(id: first[0].id, accessKey: "key")).id == first[0].id)
        let results = try await value(SearchPhotosRequest(query: "photo", perPage: 3, accessKey: "key"))
        #expect(results.results.count <= 3)
        #expect(results.total >= results.results.count)
    }
}
