import APIBaseKit
import DemoServer
import Testing
import Unsplash

/// Every call of the library, on a real socket.
@Suite(.timeLimit(.minutes(1))) struct RequestsTests {
    private let server: DemoAPIServer
    private let base: URL

    init() throws {
        server = DemoAPIServer()
        base = try server.start().appendingPathComponent("unsplash")
    }

    private func value<Call: UnsplashAPI & Request>(_ request: Call) async throws -> Call.ModelType {
        request.baseURL = base
        return try await request.value()
    }

    @Test func photosComeInPages() async throws {
        defer { server.stop() }
        let first = try await value(PhotosRequest(page: 1, perPage: 7, accessKey: "key"))
        let second = try await value(PhotosRequest(page: 2, perPage: 7, accessKey: "key"))
        #expect(first.count == 7)
        #expect(Set(first.map(\.id)).isDisjoint(with: second.map(\.id)))
        #expect(try await value(LenientPhotosRequest(perPage: 7, accessKey: "key")).elements == first)
    }

    @Test func onePhotoIsFoundByItsId() async throws {
        defer { server.stop() }
        let photo = try #require(try await value(PhotosRequest(accessKey: "key")).first)
        #expect(try await value(PhotoRequest(id: photo.id, accessKey: "key")).id == photo.id)
        #expect(try await !value(RandomPhotoRequest(accessKey: "key")).id.isEmpty)
    }

    @Test func aSearchSaysHowMuchItFound() async throws {
        defer { server.stop() }
        let results = try await value(SearchPhotosRequest(query: "photo", perPage: 3, accessKey: "key"))
        #expect(results.results.count <= 3)
        #expect(results.total >= results.results.count)
    }

    @Test func theKeyTravelsAsClientID() throws {
        defer { server.stop() }
        let request = try PhotosRequest(accessKey: "key").buildURLRequest()
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Client-ID key")
        #expect(request.url?.absoluteString == "https://api.unsplash.com/photos?page=1&per_page=10")
    }

    @Test func withoutAKeyNothingIsSent() async {
        defer { server.stop() }
        await #expect(throws: UnsplashError.noAccessKey) { try await value(PhotosRequest(accessKey: "")) }
        #expect(server.acceptedConnections == 0)
    }

    @Test func aSearchForAnythingIsOneParameter() throws {
        defer { server.stop() }
        let request = SearchPhotosRequest(query: "salt & pepper=1+1", accessKey: "key")
        #expect(try request.buildURLRequest().url?.query == "query=salt%20%26%20pepper%3D1%2B1&page=1&per_page=10")
    }
}
