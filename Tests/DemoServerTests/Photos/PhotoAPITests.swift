import DemoServer
import Foundation
import RawClient
import TestTiers
import Testing

@Suite(.limited) struct PhotoAPITests {
    private struct Photo: Decodable {
        struct User: Decodable { let id, username, name: String }
        let id, color: String
        let blur_hash, alt_description: String
        let created_at: Date
        let description: String?
        let width, height, likes: Int
        let liked_by_user: Bool
        let urls: [String: String]
        let links: [String: String]
        let user: User
    }

    private struct Found: Decodable {
        let total, total_pages: Int
        let results: [Photo]
    }

    private let server: RunningServer

    init() throws { server = try RunningServer() }

    private func get(_ target: String) throws -> RawResponse {
        try server.send("GET", "/unsplash" + target, ["Authorization": "Client-ID key"])
    }

    private func decode<Value: Decodable>(_ response: RawResponse) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Value.self, from: Data(response.body))
    }

    @Test func `The demo server's first page of photos has ten photos with the fields that Unsplash sends`() throws {
        let photos: [Photo] = try decode(get("/photos"))
        #expect(photos.count == 10)
        #expect(Set(photos.map(\.id)).count == 10)
        #expect(photos.allSatisfy { $0.id.count == 11 && $0.color.count == 7 && $0.blur_hash.count == 16 })
        #expect(photos.allSatisfy { Set($0.urls.keys) == ["raw", "full", "regular", "small", "thumb"] })
        #expect(photos.contains { $0.description == nil } && photos.contains { $0.description != nil })
        let first = try get("/photos").text
        #expect(first.contains(#""promoted_at":null"#) && first.contains(#""sponsorship":{"impression_urls""#))
    }

    @Test(arguments: ["", "Client-ID", "Client-ID  ", "Bearer key", "Basic key"])
    func `The demo server's photo API answers 401 when the access key is missing or invalid`(_ authorization: String)
        throws
    {
        let response = try server.send("GET", "/unsplash/photos", ["Authorization": authorization])
        #expect(response.status == 401)
        #expect(response.text == #"{"errors":["OAuth error: The access token is invalid"]}"#)
        #expect(try server.send("GET", "/unsplash/photos?client_id=").status == 401)
    }

    @Test
    func `The demo server's photo API accepts client_id in the query and leaves it out of the Link header`() throws {
        let response = try server.send("GET", "/unsplash/photos?client_id=secret&page=2")
        #expect(response.status == 200)
        #expect(response["Link"]?.contains("secret") == false)
    }

    @Test func `The demo server's photo API links to other pages and serves at most 30 photos per page`() throws {
        let response = try get("/photos?page=2&per_page=20")
        let base = "http://demo.test/unsplash/photos?"
        #expect(
            response["Link"] == """
                <\(base)page=1&per_page=20>; rel="first", <\(base)page=1&per_page=20>; rel="prev", \
                <\(base)page=3&per_page=20>; rel="next", <\(base)page=15&per_page=20>; rel="last"
                """
        )
        #expect(response["X-Total"] == "300")
        #expect(response["X-Per-Page"] == "20")
        #expect(response["X-Ratelimit-Limit"] == "1000000")
        #expect(response["X-Ratelimit-Remaining"] == "999999")
        #expect(try get("/photos?page=1")["Link"]?.contains("prev") == false)
        #expect(try get("/photos?page=15&per_page=20")["Link"]?.contains("next") == false)
        #expect(try get("/photos?page=99").text == "[]")
        #expect(try get("/photos?per_page=1000")["X-Per-Page"] == "30")
        #expect(try get("/photos?per_page=0&page=-3")["X-Per-Page"] == "1")
    }

    @Test func `The demo server's photo API finds listed photos by ID and answers other IDs with status 404`() throws {
        let photos: [Photo] = try decode(get("/photos?per_page=30&page=4"))
        for photo in photos.prefix(5) {
            #expect(try (decode(get("/photos/\(photo.id)")) as Photo).id == photo.id)
        }
        let missing = try get("/photos/nothing")
        #expect(missing.status == 404)
        #expect(missing.text == #"{"errors":["Couldn't find Photo"]}"#)
    }

    @Test func `The demo server's photo API returns one random photo, or 1 to 30 if the query has a count`() throws {
        #expect(try (decode(get("/photos/random")) as Photo).id.count == 11)
        let several: [Photo] = try decode(get("/photos/random?count=5"))
        #expect(Set(several.map(\.id)).count == 5)
        #expect(try (decode(get("/photos/random?count=999")) as [Photo]).count == 30)
        #expect(try (decode(get("/photos/random?count=-1")) as [Photo]).count == 1)
    }

    @Test func `The demo server's photo search ignores case and answers with status 400 without a query`() throws {
        let found: Found = try decode(get("/search/photos?query=LAPTOP&per_page=7"))
        #expect(found.total == 30)
        #expect(found.total_pages == 5)
        #expect(found.results.count == 7)
        #expect(found.results.allSatisfy { $0.alt_description.contains("laptop") })
        let none = try get("/search/photos?query=a%22b%5C%26c")
        #expect(none.text == #"{"total":0,"total_pages":0,"results":[]}"#)
        #expect(none["Link"]?.contains("query=a%22b%5C%26c&page=1") == true)
        #expect(try get("/search/photos").status == 400)
    }

    @Test func `The demo server's photo API answers with status 403 when the hourly limit is exceeded`() throws {
        var configuration = DemoAPIServer.Configuration()
        configuration.photoRequestsPerHour = 2
        configuration.now = { Date(timeIntervalSince1970: 0) }
        let server = try RunningServer(configuration)
        let statuses = try (0..<3).map { _ in try server.send("GET", "/unsplash/photos?client_id=k").status }
        #expect(statuses == [200, 200, 403])
    }
}
