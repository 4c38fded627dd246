import DemoServer
import Foundation
import HTTPTransport
import Testing

/// Where a redirect may lead, seen from `http://127.0.0.1:<port of A>`.
enum Target: String, CaseIterable, CustomTestStringConvertible {
    case sameOrigin, otherPort, otherHost

    var testDescription: String { rawValue }
    var leavesOrigin: Bool { self != .sameOrigin }
}

struct RedirectCase: CustomTestStringConvertible {
    let status: Int
    let target: Target
    let method: HTTPMethod
    let returns: Bool

    var testDescription: String { "\(status) \(method) to \(target)\(returns ? " and back" : "")" }

    static let all: [RedirectCase] = [301, 302, 303, 307, 308].flatMap { status in
        Target.allCases.flatMap { target in
            [HTTPMethod.get, .post].flatMap { method in
                [false, true].map { RedirectCase(status: status, target: target, method: method, returns: $0) }
            }
        }
    }

    /// RFC 9110, section 15.4: what the method has become after one redirect.
    var nextMethod: String { method == .post && status <= 303 ? "GET" : method.rawValue }
}

extension OverSockets {
    @Suite struct RedirectTests {
        static let secrets = [
            "Authorization": "Bearer canary", "Cookie": "sid=canary", "X-Api-Key": "canary", "X-Mine": "canary",
        ]

        @Test(arguments: RedirectCase.all)
        func sendsWhatItShould(_ redirect: RedirectCase) async throws {
            let end = reply(body: "end")
            // B answers, or sends back to A; A sends to B, or to itself, the first time and answers the second.
            let first = try ScriptedServer { request, connection, _ in
                if request.target == "/start" {
                    let target = request["X-Target"] ?? ""
                    try connection.write(reply("\(redirect.status) R", ["Location: \(target)"], body: "moved"))
                } else {
                    try connection.write(end)
                }
            }
            defer { first.stop() }
            let home = first.url("/home").absoluteString
            let second = try ScriptedServer { _, connection, _ in
                try connection.write(redirect.returns ? reply("\(redirect.status) R", ["Location: \(home)"]) : end)
            }
            defer { second.stop() }
            let target =
                switch redirect.target {
                case .sameOrigin: "/there"
                case .otherPort: second.url("/there").absoluteString
                case .otherHost: first.url("/there", host: "localhost").absoluteString
                }
            var headers = Self.secrets
            headers["X-Target"] = target
            headers["X-Open"] = "open"
            if redirect.method == .post { headers["Content-Type"] = "text/plain" }
            let body = redirect.method == .post ? HTTPBody.data(Data("payload".utf8)) : .none
            let request = make(redirect.method, first.url("/start"), headers, body: body, secrets: ["x-mine"])
            let result = await DefaultSession.shared.fetch(request)
            #expect(result?.text == "end")

            let sent =
                redirect.target == .otherPort
                ? second.requests + first.requests.dropFirst() : Array(first.requests.dropFirst())
            #expect(sent.count == (redirect.returns && redirect.target == .otherPort ? 2 : 1))
            for hop in sent {
                #expect(hop.method == redirect.nextMethod)
                #expect(hop["X-Open"] == "open")
                for (name, value) in Self.secrets {
                    #expect(
                        hop.values(name) == (redirect.target.leavesOrigin ? [] : [value]),
                        "\(name) at \(hop.target)"
                    )
                }
                let keepsBody = redirect.nextMethod == "POST"
                #expect(String(decoding: hop.body, as: UTF8.self) == (keepsBody ? "payload" : ""))
                #expect(hop["Content-Type"] == (keepsBody ? "text/plain" : nil))
                #expect(hop["Content-Length"] == (keepsBody ? "7" : nil))
            }
        }

        /// `Location`, and the target it means from `/a/b/c?q` (RFC 3986, section 5.4, and what servers get wrong).
        @Test(arguments: [
            ("g", "/a/b/g"), ("./g", "/a/b/g"), ("g/", "/a/b/g/"), ("/g", "/g"), ("?y", "/a/b/c?y"),
            ("g?y", "/a/b/g?y"),
            ("#s", "/a/b/c?q"), ("g#s", "/a/b/g"), ("..", "/a/"), ("../g", "/a/g"), ("../../../g", "/g"),
            ("g/./h", "/a/b/g/h"),
            ("g/../h", "/a/b/h"), ("/x%2Fy", "/x%2Fy"), ("g y", "/a/b/g%20y"), ("g?a[]=1", "/a/b/g?a%5B%5D=1"),
            ("/a//b", "/a//b"),
        ])
        func resolves(_ location: String, _ target: String) async throws {
            let server = try ScriptedServer { _, connection, index in
                try connection.write(index == 0 ? reply("302 Found", ["Location: \(location)"]) : reply(body: "end"))
            }
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.get, server.url("/a/b/c?q")))
            #expect(result?.text == "end")
            #expect(server.requests.last?.target == target)
            #expect(server.requests.count == 2)
        }

        @Test(arguments: [
            "ftp://127.0.0.1/", "file:///etc/passwd", "http://user:secret@127.0.0.1/", "http:///x",
            "http://127.0.0.1:99999/",
            "http://127.0.0.1\\@evil/", "/a/%2e%2e/b", "javascript:alert(1)", "//user@127.0.0.1/x", "/%zz",
        ])
        func refuses(_ location: String) async throws {
            let server = try ScriptedServer(always: reply("302 Found", ["Location: \(location)"]))
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url("/")))?.error
            if case .invalidRedirect = error?.reason {} else { Issue.record("\(String(describing: error))") }
            #expect(error?.phase == .redirect)
            #expect(server.requests.count == 1)
            #expect(error.map { "\($0)".contains("secret") } == false)
        }

        @Test(arguments: [300, 304, 305, 302])
        func handsOutWhatCannotBeFollowed(_ status: Int) async throws {
            let headers = status == 302 ? [] : ["Location: /elsewhere"]
            let server = try ScriptedServer(always: reply("\(status) R", headers))
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.get, server.url("/")))
            #expect(result?.status == status)
            #expect(server.requests.count == 1)
        }

        @Test func endsLoopsByTheLimit() async throws {
            let server = try ScriptedServer(always: reply("302 Found", ["Location: /"], body: "around"))
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url("/")))?.error
            #expect(error?.reason == .tooManyRedirects(limit: 10))
            #expect(server.requests.count == 11)
        }

        @Test func followsNoneIfNoneIsAllowed() async throws {
            let server = try ScriptedServer(always: reply("302 Found", ["Location: /x"], body: "moved"))
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.get, server.url("/")) { $0.redirects = 0 })
            #expect(result?.status == 302)
            #expect(result?.text == "moved")
        }

        @Test func handsOutA307ThatWouldNeedAOneShotBodyAgain() async throws {
            let server = try ScriptedServer(always: reply("307 R", ["Location: /x"], body: "again, please"))
            defer { server.stop() }
            let body = HTTPBody.once(InputStream(data: Data("once".utf8)), count: 4)
            let result = await DefaultSession.shared.fetch(make(.post, server.url("/"), body: body))
            #expect(result?.status == 307)
            #expect(result?.text == "again, please")
            #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["once"])
        }

        @Test func leavesTheBodyOfARedirectWhereItIsIfItIsLong() async throws {
            let server = try ScriptedServer { _, connection, index in
                guard index == 0 else { return try connection.write(reply(body: "end")) }
                try connection.write(reply("302 R", ["Location: /x"], body: String(repeating: "x", count: 1 << 20)))
            }
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.get, server.url("/")))
            #expect(result?.text == "end")
        }
    }
}
