import Foundation
import RawClient
import TestTiers
import Testing

@Suite(.limited) struct RouterTests {
    private let server: RunningServer

    init() throws { server = try RunningServer() }

    @Test(arguments: [
        "/", "/nothing", "/users/1", "//users", "/todos/1/2", "/a/../users", "/a/%2e%2e/users", "/jsonplaceholder",
    ])
    func `The demo server answers an unknown path with status 404 and a reason that names the path`(_ path: String)
        throws
    {
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
    func `The demo server answers a known path with a wrong method with status 405 and an Allow header`(
        _ method: String,
        _ path: String,
        allow: String
    ) throws {
        let response = try server.send(method, path)
        #expect(response.status == 405)
        #expect(response["Allow"] == allow)
        #expect(try response.json(Refusal.self).error)
    }

    @Test func `The demo server answers OPTIONS with the methods of the path, or of the whole server for *`() throws {
        let one = try server.send("OPTIONS", "/todos")
        #expect(one.status == 204)
        #expect(one["Allow"] == "GET, HEAD, OPTIONS, POST")
        let all = try server.send("OPTIONS", "*")
        #expect(all.status == 204)
        #expect(all["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
        #expect(try server.send("OPTIONS", "/nothing").status == 404)
    }

    @Test func `The demo server answers HEAD with the Content-Length of GET and without a body`() throws {
        let get = try server.send("GET", "/jsonplaceholder/posts/1")
        let head = try server.send("HEAD", "/jsonplaceholder/posts/1")
        #expect(head.status == 200)
        #expect(head["Content-Length"] == get["Content-Length"])
        #expect(head.body.isEmpty)
    }

    @Test func `The demo server serves a request whose target is a whole URL, and its links use that host`() throws {
        let response = try server.send("GET", "http://other.test:81/jsonplaceholder/posts?_page=1")
        #expect(response.status == 200)
        #expect(response["Link"]?.contains("<http://other.test:81/jsonplaceholder/posts?") == true)
    }

    @Test func `The demo server serves a path with a trailing slash like the path without it`() throws {
        #expect(try server.send("GET", "/jsonplaceholder/users/").status == 200)
    }
}
