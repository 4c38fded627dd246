import Foundation
import RawClient
import TestTiers
import Testing

@Suite(.limited) struct LabAPITests {
    private let server: RunningServer

    init() throws { server = try RunningServer() }

    // MARK: Events

    @Test func `The demo server's event stream continues after Last-Event-ID and ends with status 204`() throws {
        let target = "/lab/events?count=5&every=0&perConnection=3&retry=7"
        let first = try server.send("GET", target)
        #expect(first["Content-Type"] == "text/event-stream")
        #expect(first.text.contains("retry: 7\n") && Self.ids(first) == ["1", "2", "3"])
        #expect(try Self.ids(server.send("GET", target, ["Last-Event-ID": "3"])) == ["4", "5"])
        let last = try server.send("GET", target, ["Last-Event-ID": "5"])
        #expect(last.status == 204 && last.body.isEmpty)
        #expect(try Self.ids(server.send("GET", target, ["Last-Event-ID": "-9"])) == ["1", "2", "3"])
        #expect(try server.send("GET", "/lab/events?count=x").status == 400)
    }

    private static func ids(_ response: RawResponse) -> [String] {
        response.text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    // MARK: Files

    @Test(
        arguments: [
            ("no range", nil, 206 - 6, 0..<20_000, nil), ("the first", "bytes=0-0", 206, 0..<1, "bytes 0-0/20000"),
            ("from a place on", "bytes=19998-", 206, 19_998..<20_000, "bytes 19998-19999/20000"),
            ("beyond the end", "bytes=5-1000000", 206, 5..<20_000, "bytes 5-19999/20000"),
            ("the last", "bytes=-3", 206, 19_997..<20_000, "bytes 19997-19999/20000"),
            ("more than there is", "bytes=-1000000", 206, 0..<20_000, "bytes 0-19999/20000"),
            ("after the end", "bytes=20000-", 416, 0..<0, "bytes */20000"),
            ("nothing", "bytes=-0", 416, 0..<0, "bytes */20000"),
            ("backwards", "bytes=5-4", 200, 0..<20_000, nil), ("several", "bytes=0-1,3-4", 200, 0..<20_000, nil),
            ("another unit", "lines=0-1", 200, 0..<20_000, nil), ("no number", "bytes=a-", 200, 0..<20_000, nil),
            ("a sign", "bytes=+1-", 200, 0..<20_000, nil), ("neither end", "bytes=-", 200, 0..<20_000, nil),
        ] as [(String, String?, Int, Range<Int>, String?)]
    )
    func `The demo server answers one byte range with 206, one after the end with 416, any other with 200`(
        name: String,
        range: String?,
        status: Int,
        bytes: Range<Int>,
        contentRange: String?
    ) throws {
        let whole = try server.send("GET", "/lab/files/a?size=20000").body
        #expect(whole.count == 20_000 && Set(whole).count == 256)
        let response = try server.send("GET", "/lab/files/a?size=20000", range.map { ["Range": $0] } ?? [:])
        #expect(response.status == status && response["Content-Range"] == contentRange)
        if status < 400 { #expect(response.body == Array(whole[bytes])) }
    }

    @Test
    func `The demo server compares If-Range with a file's ETag or date, and If-None-Match with its ETag`() throws {
        let target = "/lab/files/a?size=10"
        let whole = try server.send("GET", target)
        let tag = try #require(whole["ETag"])
        let date = try #require(whole["Last-Modified"])
        #expect(try server.send("GET", target, ["Range": "bytes=5-", "If-Range": tag]).status == 206)
        #expect(try server.send("GET", target, ["Range": "bytes=5-", "If-Range": date]).status == 206)
        #expect(try server.send("GET", target, ["Range": "bytes=5-", "If-Range": "\"other\""]).status == 200)
        #expect(try server.send("GET", target, ["If-None-Match": tag]).status == 304)
        let other = try server.send("GET", target + "&version=2")
        #expect(other["ETag"] != tag && other.body != whole.body)
        #expect(try server.send("GET", "/lab/files/b?size=10")["ETag"] != tag)
        let head = try server.send("HEAD", target)
        #expect(head["Content-Length"] == "10" && head["Accept-Ranges"] == "bytes")
        #expect(try server.send("GET", "/lab/files/a?size=-1").status == 400)
    }

    // MARK: Uploads, failures, validators

    @Test func `The demo server answers an upload by PUT or POST with the name, type and size of the body`() throws {
        struct Received: Decodable {
            let name, type: String
            let bytes: Int
        }
        for method in ["PUT", "POST"] {
            let response = try server.send(method, "/lab/uploads/a.json", json: "123456789")
            let received: Received = try response.json()
            #expect(response.status == 201 && received.name == "a.json" && received.type == "application/json")
            #expect(received.bytes == 9)
        }
    }

    @Test
    func `The demo server's status path fails as often as its query says, with Retry-After, then succeeds`() throws {
        let target = "/lab/status/503?times=2&id=\(UInt32.random(in: 0...UInt32.max))&retryAfter=1"
        let replies = try (0..<3).map { _ in try server.send("GET", target) }
        #expect(replies.map(\.status) == [503, 503, 200])
        #expect(replies.map { $0["Retry-After"] } == ["1", "1", nil])
        #expect(try server.send("GET", "/lab/status/429").status == 429)
        #expect(try server.send("GET", "/lab/status/99").status == 404)
    }

    @Test func `The demo server answers a GET with a matching If-None-Match with status 304 and no body`() throws {
        let first = try server.send("GET", "/jsonplaceholder/users/1")
        let tag = try #require(first["ETag"])
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let again = try server.send("GET", "/jsonplaceholder/users/1", ["If-None-Match": known])
            #expect(again.status == 304 && again["ETag"] == tag && again.body.isEmpty)
        }
        #expect(try server.send("GET", "/jsonplaceholder/users/2", ["If-None-Match": tag]).status == 200)
    }
}
