import DemoServer
import Foundation
import RawClient
import TestTiers
import Testing

@Suite(.limited) struct DemoAPIServerTests {
    @Test func `DemoAPIServer.start() picks a free port and returns the server's URL`() throws {
        let server = DemoAPIServer()
        #expect(server.url == nil && server.port == nil && server.acceptedConnections == 0)
        let url = try server.start()
        defer { server.stop() }
        #expect(url.absoluteString == "http://127.0.0.1:\(try #require(server.port))")
        #expect(server.url == url)
        #expect(try server.start() == url)
        _ = try RawClient(#require(server.port)).exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(server.acceptedConnections == 1)
    }

    @Test func `DemoAPIServer.start() throws portInUse with the port number when the port is taken`() throws {
        let first = DemoAPIServer()
        try first.start()
        defer { first.stop() }
        let port = try #require(first.port)
        let error = #expect(throws: DemoAPIServer.StartError.portInUse(host: "127.0.0.1", port: port)) {
            try DemoAPIServer(configuration: .init(port: port)).start()
        }
        #expect(error?.localizedDescription.contains("\(port)") == true)
    }

    @Test func `DemoAPIServer.start() throws invalidHost when the host is not an IP address`() {
        var configuration = DemoAPIServer.Configuration()
        configuration.host = "localhost"
        let server = DemoAPIServer(configuration: configuration)
        #expect(throws: DemoAPIServer.StartError.invalidHost("localhost")) { try server.start() }
        #expect(server.url == nil)
    }

    @Test func `A demo server keeps its data when it is stopped and started again`() throws {
        let server = DemoAPIServer()
        let user = #"{"name":"a","email":"a@b.c","password":"12345678","verifyPassword":"12345678"}"#
        let request =
            "POST /users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(user.utf8.count)\r\n\r\n\(user)"
        var statuses: [Int] = []
        for _ in 0..<2 {
            try server.start()
            statuses.append(try RawClient(#require(server.port)).exchange(request).status)
            server.stop()
            server.stop()
            #expect(server.port == nil)
        }
        #expect(statuses == [200, 400])
    }

    @Test func `A demo server refuses connections after it is released`() throws {
        var isRefused = false
        // Afterwards the port is free, and another test's server may get it.
        for _ in 0..<10 where !isRefused {
            var server: DemoAPIServer? = DemoAPIServer()
            try server?.start()
            let port = try #require(server?.port)
            server = nil
            isRefused = (try? RawClient(port)) == nil
        }
        #expect(isRefused)
    }
}
