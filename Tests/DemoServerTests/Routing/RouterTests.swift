import Foundation
import RawClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct RouterTests {
    private let server: RunningServer

    init() throws { server = try RunningServer() }

    @Test(arguments: [
        "/", "/nothing", "/users/1", "//users", "/todos/1/2", "/a/../users", "/a/%2e%2e/users", "/jsonplaceholder",
    ])
    func `An unknown path has status 404 and a reason that names the path`(_ path: String) throws {
        let response = try server.send("GET", path)
        #expect(response.status == 404)
        #expect(try response.json(Refusal.self).reason.contains(path))
    }

    @Test(arguments: [
        ("DELETE", "/users", "OPTIONS, POST"), ("PATCH", "/todos", "GET, HEAD, OPTIONS, POST"),
        ("get", "/todos", "GET, HEAD, OPTIONS, POST"), ("GET", "/todos/1", "DELETE, OPTIONS"),
        ("BREW", "/jsonplaceholder/posts/1", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"),
        ("POST", "/unsplash/photos/random", "GET, HEAD, OPTIONS"),
    ])
    func `A known path with another method has status 405 and an Allow header`(
        _ method: String,
        _ path: String,
        allow: String
    ) throws {
        let response = try server.send(method, path)
        #expect(response.status == 405)
        #expect(response["Allow"] == allow)
        #expect(try response.json(Refusal.self).error)
    }

    @Test func `OPTIONS answers with the allowed methods of a path or of the whole server`() throws {
        let one = try server.send("OPTIONS", "/todos")
        #expect(one.status == 204)
        #expect(one["Allow"] == "GET, HEAD, OPTIONS, POST")
        let all = try server.send("OPTIONS", "*")
        #expect(all.status == 204)
        #expect(all["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
        #expect(try server.send("OPTIONS", "/nothing").status == 404)
    }

    @Test func `HEAD answers with the Content-Length of GET and without a body`() throws {
        let get = try server.send("GET", "/jsonplaceholder/posts/1")
        let head = try server.send("HEAD", "/jsonplaceholder/posts/1")
        #expect(head.status == 200)
        #expect(head["Content-Length"] == get["Content-Length"])
        #expect(head.body.isEmpty)
    }

    @Test func `An absolute request target is served, and the links use its host`() throws {
        let response = try server.send("GET", "http://other.test:81/jsonplaceholder/posts?_page=1")
        #expect(response.status == 200)
        #expect(response["Link"]?.contains("<http://other.test:81/jsonplaceholder/posts?") == true)
    }

    @Test func `A path with a trailing slash is served like the path without`() throws {
        #expect(try server.send("GET", "/jsonplaceholder/users/").status == 200)
    }
}
