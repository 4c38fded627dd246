import Foundation
import RawClient
import TestTiers
import Testing

@Suite(.limited) struct PlaceholderAPITests {
    private struct Item: Decodable {
        let id: Int
        var userId: Int?
        var postId: Int?
        var albumId: Int?
    }

    private struct User: Decodable {
        struct Address: Decodable {
            struct Geo: Decodable { let lat, lng: String }
            let street, suite, city, zipcode: String
            let geo: Geo
        }
        struct Company: Decodable { let name, catchPhrase, bs: String }
        let id: Int
        let name, username, email, phone, website: String
        let address: Address
        let company: Company
    }

    private let server: RunningServer

    init() throws { server = try RunningServer() }

    private func items(_ target: String) throws -> [Item] {
        try server.send("GET", "/jsonplaceholder" + target).json([Item].self)
    }

    @Test(arguments: [
        ("users", 10), ("posts", 100), ("comments", 500), ("todos", 200), ("albums", 100), ("photos", 5_000),
    ])
    func `Each JSONPlaceholder list of the demo server is complete, and an ID after the last has status 404`(
        _ name: String,
        count: Int
    )
        throws
    {
        #expect(try items("/\(name)").map(\.id) == Array(1...count))
        #expect(try server.send("GET", "/jsonplaceholder/\(name)/\(count)").json(Item.self).id == count)
        let missing = try server.send("GET", "/jsonplaceholder/\(name)/\(count + 1)")
        #expect(missing.status == 404)
        #expect(missing.text == "{}")
    }

    @Test func `A JSONPlaceholder user from the demo server has every field of the real service`() throws {
        let users = try server.send("GET", "/jsonplaceholder/users").json([User].self)
        #expect(Double(users[0].address.geo.lat) != nil)
        #expect(users[0].name == "User 1")
    }

    static let selections: [(String, Int)] = [
        ("/todos?userId=1", 20), ("/posts?userId=10", 10), ("/posts?userId=10&id=91", 1), ("/posts?userId=11", 0),
        ("/posts?nothing=1", 0), ("/todos?userId=1&completed=true", 7), ("/comments?email=reader3%40example.com", 1),
        ("/posts/1/comments", 5), ("/users/1/todos", 20), ("/users/2/posts", 10), ("/users/3/albums", 10),
        ("/albums/4/photos", 50), ("/posts/101/comments", 0), ("/users/1/todos?completed=false", 13),
        ("/posts?_limit=3", 3), ("/posts?_page=10&_limit=30", 0), ("/posts?_page=4&_limit=30", 10),
        ("/posts?_page=-1", 10), ("/posts?_page=x&_limit=-5", 1), ("/posts?_page=9223372036854775807&_limit=2", 0),
        ("/posts?_page=2&_limit=9223372036854775807", 0), ("/posts?_limit=9223372036854775807", 100),
    ]

    @Test(arguments: selections)
    func `The demo server filters JSONPlaceholder lists by query or parent and pages by _page and _limit`(
        _ target: String,
        count: Int
    ) throws {
        #expect(try items(target).count == count)
    }

    @Test func `The demo server's list of a post's comments or a user's albums has only items of that parent`() throws {
        #expect(try items("/posts/7/comments").allSatisfy { $0.postId == 7 })
        #expect(try items("/albums/7/photos").allSatisfy { $0.albumId == 7 })
        #expect(try items("/users/7/albums").allSatisfy { $0.userId == 7 })
    }

    @Test
    func `A page of the demo server's JSONPlaceholder list links to the first, previous, next and last page`() throws {
        let response = try server.send("GET", "/jsonplaceholder/posts?userId=1&_page=2&_limit=4")
        #expect(response["X-Total-Count"] == "10")
        let base = "http://demo.test/jsonplaceholder/posts?userId=1&"
        #expect(
            response["Link"] == """
                <\(base)_page=1&_limit=4>; rel="first", <\(base)_page=1&_limit=4>; rel="prev", \
                <\(base)_page=3&_limit=4>; rel="next", <\(base)_page=3&_limit=4>; rel="last"
                """
        )
        #expect(try response.json([Item].self).map(\.id) == [5, 6, 7, 8])
    }

    @Test
    func `The demo server answers POST, PUT, PATCH and DELETE like JSONPlaceholder, without keeping changes`() throws {
        let made = try server.send("POST", "/jsonplaceholder/posts", json: #"{"title":"t","userId":1}"#)
        #expect(made.status == 201)
        #expect(made.text == #"{"title":"t","userId":1,"id":101}"#)
        #expect(made["Location"] == "http://demo.test/jsonplaceholder/posts/101")
        #expect(try server.send("GET", "/jsonplaceholder/posts/101").status == 404)
        let replaced = try server.send("PUT", "/jsonplaceholder/albums/3", json: #"{"title":"t","id":9}"#)
        #expect(replaced.text == #"{"id":3,"title":"t"}"#)
        let patched = try server.send("PATCH", "/jsonplaceholder/albums/3", json: #"{"title":"t","more":[1.5,null]}"#)
        #expect(patched.text == #"{"userId":1,"id":3,"title":"t","more":[1.5,null]}"#)
        let deleted = try server.send("DELETE", "/jsonplaceholder/posts/1")
        #expect(deleted.status == 200)
        #expect(deleted.text == "{}")
        #expect(try server.send("GET", "/jsonplaceholder/posts/1").status == 200)
    }

    @Test(arguments: ["PUT", "PATCH", "DELETE"])
    func `The demo server answers PUT, PATCH and DELETE of a JSONPlaceholder post it lacks with status 404`(
        _ method: String
    ) throws {
        let response = try server.send(method, "/jsonplaceholder/posts/0", json: "{}")
        #expect(response.status == 404)
        #expect(response.text == "{}")
    }

    @Test(arguments: ["[1]", "{", "1", "\"a\"", "nonsense"])
    func `The demo server answers a JSONPlaceholder POST of anything but a JSON object with status 400`(_ json: String)
        throws
    {
        #expect(try server.send("POST", "/jsonplaceholder/posts", json: json).status == 400)
    }
}
