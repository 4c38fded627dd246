import LoopbackServer
import Foundation
import HostileServer
import Basics
import TestTiers
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where a `Location` leads: resolved as it is written (RFC 3986, section 5), and refused if it leads astray.
@Suite(.limited) struct RedirectTargetTests {
    @Test(
        .everyEngine,
        arguments: [
            ("other", "/v1/other"), ("./here", "/v1/here"), ("../up", "/up"), ("../../../top", "/top"),
            ("/root", "/root"),
            ("/a%2Fb", "/a%2Fb"), ("a%2fb/c", "/v1/a%2fb/c"), ("?q=1", "/v1/x?q=1"),
            ("other?a=%2F&b=+", "/v1/other?a=%2F&b=+"),
            ("other#part", "/v1/other"), ("#part", "/v1/x?old=1"), ("sp ace", "/v1/sp%20ace"), ("a;b=1", "/v1/a;b=1"),
            ("a|b", "/v1/a%7Cb"), ("/a/./b/../c/", "/a/c/"), ("deep/", "/v1/deep/"), (".", "/v1/"), ("..", "/"),
            ("./a:b", "/v1/a:b"), ("//HOST/net", "/net"), ("http://HOST/full?x#y", "/full?x"),
            ("HTTP://HOST/caps", "/caps"),
            ("http://HOST", "/"), ("http://HOST?x", "/?x"),
        ]
    )
    func `A redirect's Location is resolved against the current URL, and the result is requested`(
        location: String,
        target: String
    ) async throws {
        let targets = Locked<[String]>([])
        let server = try HTTPServer { request in
            let isFirst = targets.withLock { targets in
                targets.append(request.target)
                return targets.count == 1
            }
            let here = request.headers["Host"] ?? ""
            return isFirst
                ? ServerResponse(
                    status: 302,
                    headers: HTTPFields(["Location": location.replacingOccurrences(of: "HOST", with: here)])
                ) : .text("end")
        }
        defer { server.stop() }
        #expect(
            try await Engine.makeSession().reply(to: ExchangeRequest(port: server.port, "/v1/x?old=1")).status == 200
        )
        #expect(targets.withLock { $0 } == ["/v1/x?old=1", target])
    }

    @Test(arguments: [
        ("http://h:/ok", "http://h/ok"), ("//h:?a", "http://h?a"), ("http://[::1]:/", "http://[::1]/"),
        ("http://h:", "http://h"),
    ])
    func `A Location with an empty port is resolved to a URL without one`(location: String, target: String) throws {
        #expect(try decide(from: "http://a/b", location) == target)
    }

    /// RFC 3986, section 5.4, without what leads to other schemes.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("caf\u{E9}", "http://a/b/c/caf%C3%A9"), ("/..//g", "http://a//g"),
    ])
    func `The Location examples of RFC 3986 section 5.4 are resolved to the URLs that the RFC gives`(
        location: String,
        target: String
    ) throws {
        #expect(try decide(from: "http://a/b/c/d;p?q", location) == target)
    }

    private func decide(from source: String, _ location: String, headers: [String: String] = [:]) throws -> String {
        switch try decision(from: source, location, headers: headers) {
        case .respond: "respond"
        case .refuse(let reason): "\(reason)"
        case .malformed(let error): "\(error)"
        case .follow(let next): next.urlRequest.url?.absoluteString ?? "no URL"
        }
    }

    private func decision(from source: String, _ location: String, headers: [String: String] = [:]) throws
        -> RedirectPolicy.Decision
    {
        let url = try #require(URL(string: source))
        var request = URLRequest(url: url)
        request.allHTTPHeaderFields = headers
        let head = ResponseHead(statusCode: 302, headers: ["Location": location], url: url)
        return RedirectPolicy.decide(ExchangeRequest(request), head, followed: 0)
    }

    private static let refused: [(String, TransportError.InvalidRequest.Problem)] = [
        ("http://user@HOST/", .userInfo), ("http://user:pass@HOST/", .userInfo), ("//user:pass@HOST/", .userInfo),
        ("http://127.0.0.1\\@HOST/", .forbiddenByte(0x5C)), ("\\\\HOST\\x", .forbiddenByte(0x5C)),
        ("file:///etc/passwd", .unsupportedScheme), ("ftp://HOST/x", .unsupportedScheme),
        ("javascript:alert(1)", .unsupportedScheme), ("data:text/plain,x", .unsupportedScheme),
        ("gopher://HOST/", .unsupportedScheme), ("x:y", .unsupportedScheme), ("localhost:80/x", .unsupportedScheme),
        ("http:", .badHost), ("http:/x", .badHost), ("http://", .badHost), ("http:///x", .badHost), ("///x", .badHost),
        ("http://ex ample/", .badHost), ("http://b\u{FC}cher.example/", .badHost), ("http://a%2eb/", .badHost),
        ("http://[::1/", .badHost), ("http://[x]/", .badHost), ("http://:80/", .badHost), ("http://?x", .badHost),
        ("http://127.0.0.1:0/", .badPort), ("http://127.0.0.1:65536/", .badPort), ("http://127.0.0.1:x/", .badPort),
        ("http://:/", .badHost), ("http://127.0.0.1:80:80/", .badPort), ("http://127.0.0.1:+80/", .badPort),
        ("/%zz", .badEscape), ("/%", .badEscape), ("/100%", .badEscape), ("/?q=%4", .badEscape),
        ("/%2e%2e/x", .dotSegment), ("/a/%2E./x", .dotSegment), ("/.%2e", .dotSegment),
    ]

    private static let unsendable: [(String, TransportError.InvalidRequest.Problem)] = [
        ("/a\r\nX-Injected: 1", .forbiddenByte(0x0D)), ("/a\nb", .forbiddenByte(0x0A)), ("/a\u{0}b", .forbiddenByte(0)),
        ("/a\tb", .forbiddenByte(9)), ("/a\u{7F}", .forbiddenByte(0x7F)), ("\r/a", .forbiddenByte(0x0D)),
        ("http://HOST\r\n/", .forbiddenByte(0x0D)),
    ]

    @Test(arguments: refused + unsendable)
    func `A Location with an invalid URL or a forbidden byte is refused with invalidRedirect`(
        location: String,
        problem: TransportError.InvalidRequest.Problem
    ) throws {
        let location = location.replacingOccurrences(of: "HOST", with: "127.0.0.1:1")
        let decision = try decision(from: "http://127.0.0.1/v1/x", location)
        guard case .refuse(let reason) = decision else { return #expect(Bool(false), "\(decision)") }
        #expect(reason == .invalidRedirect(.init(.url, problem)))
    }

    @Test(.everyEngine, arguments: refused)
    func `A redirect to an invalid URL fails with invalidRedirect without a second request`(
        location: String,
        problem: TransportError.InvalidRequest.Problem
    )
        async throws
    {
        let count = Locked(0)
        let server = try HTTPServer { request in
            count.withLock { $0 += 1 }
            let here = request.headers["Host"] ?? ""
            let location = location.replacingOccurrences(of: "HOST", with: here)
            return ServerResponse(status: 302, headers: HTTPFields(["Location": location]))
        }
        defer { server.stop() }
        let error = try await Engine.makeSession().failure(of: ExchangeRequest(port: server.port, "/v1/x"))
        #expect(error?.reason == .invalidRedirect(.init(.url, problem)))
        #expect(error?.phase == .redirect)
        #expect(count.withLock { $0 } == 1)
    }

    @Test(arguments: [
        ("https://a/", "http://a/", "A redirect from https to http was refused"),
        ("HTTPS://a/", "http://a/", "A redirect from https to http was refused"),
        ("https://a/", "HTTP://b/x", "A redirect from https to http was refused"),
        ("https://a/", "//b/x", "https://b/x"), ("https://a/", "x", "https://a/x"),
        ("http://a/", "https://a/", "https://a/"),
    ])
    func `A redirect from https to http is refused, and from http to https is followed`(
        source: String,
        location: String,
        outcome: String
    ) throws {
        #expect(try decide(from: source, location) == outcome)
    }

    @Test(arguments: [
        ("http://a/", "http://a:80/x", true), ("https://a/", "https://a:443/x", true),
        ("http://a/", "http://A/x", true),
        ("http://a/", "HTTP://a/x", true), ("http://a/", "https://a/", false), ("http://a/", "http://a:81/", false),
        ("http://a/", "http://b/", false), ("http://a/", "http://a.b/", false), ("http://b.a/", "http://a/", false),
        ("https://a/", "https://a:80/", false), ("http://a/", "http://a./", false),
    ])
    func `A redirect keeps secret headers only if scheme, host and port are the same`(
        source: String,
        location: String,
        isSame: Bool
    ) throws {
        let secrets = ["authorization": "1", "COOKIE": "2", "Proxy-Authorization": "3", "WWW-Authenticate": "4"]
        let headers = secrets.merging(["X-Plain": "5"]) { $1 }
        guard case .follow(let next) = try decision(from: source, location, headers: headers) else {
            return #expect(Bool(false), "not followed")
        }
        let kept = Set((next.urlRequest.allHTTPHeaderFields ?? [:]).values)
        #expect(kept == (isSame ? ["1", "2", "3", "4", "5"] : ["5"]))
        #expect(next.hasLeftOrigin == !isSame)
    }
}
