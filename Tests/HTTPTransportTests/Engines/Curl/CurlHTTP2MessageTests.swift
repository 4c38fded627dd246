#if os(Linux)
import LoopbackServer
import Foundation
import HostileServer
import HTTPTransport
import Basics
import PortableCombine
import TestTiers
import Testing

/// Requests and responses of every kind over HTTP/2, with a server that is not ours.
@Suite(.tags(.concurrent), .speaksHTTP2, .limited) struct CurlHTTP2MessageTests {
    @Test
    func `Request bodies of every kind arrive whole over HTTP 2, and their sent bytes are reported`() async throws {
        let bodies = Locked<[Data]>([])
        let handler: HTTPServer.Handler = { request in
            bodies.withLock { $0.append(request.body) }
            return .text("\(request.method) \(request.body.count)")
        }
        try await withNginx(handler: handler) { nginx, session in
            for size in [0, 1, 70_000, runsAllTests ? 3 << 20 : 300_000] {
                let data = Data.pattern(size)
                for kind in BodyKind.allCases {
                    // A response that is passed on as it comes has to be timed by the client.
                    for path in ["/", "/through/"] {
                        let body = try kind.body(data, file: nginx.file("body-\(size)"))
                        let log = EventLog()
                        session.events(for: ExchangeRequest(.post, to: nginx.url(path), body: body)).subscribe(log)
                        let failure = try await log.end.value()
                        #expect(failure == nil, "\(kind) \(size)")
                        #expect(String(decoding: log.data, as: UTF8.self) == "POST \(size)")
                        #expect(log.head?.httpVersion == "HTTP/2")
                        #expect(bodies.withLock { $0.removeLast() } == data)
                        var sent: Int64 = 0
                        for case .sent(let bytes, _) in log.events { sent = bytes }
                        #expect(sent == size)
                    }
                }
            }
        }
        #expect(bodies.withLock { $0.isEmpty })
    }

    @Test func `One HTTP 2 connection carries 64 parallel uploads`() async throws {
        let handler: HTTPServer.Handler = { request in
            .text("\(request.path) \(request.body.count) \(request.body.allSatisfy { $0 == request.body.first })")
        }
        try await withNginx(threads: 1, handler: handler) { nginx, session in
            _ = try await session.reply(to: ExchangeRequest(to: nginx.url()))
            try await withThrowingTaskGroup(of: (Int, Reply).self) { group in
                for index in 1...64 {
                    let data = Data(repeating: UInt8(index), count: index * 5_000)
                    let body =
                        index.isMultiple(of: 2) ? HTTPBody.data(data) : .stream(count: nil) { InputStream(data: data) }
                    let request = ExchangeRequest(.post, to: nginx.url("/\(index)"), body: body)
                    group.addTask { (index, try await session.reply(to: request)) }
                }
                var connections: Set<String?> = []
                for try await (index, reply) in group {
                    #expect(reply.text == "/\(index) \(index * 5_000) true")
                    connections.insert(reply.headers["Connection-Number"])
                }
                #expect(connections.count == 1)
            }
        }
    }

    @Test func `HEAD, 204 and 304 responses over HTTP 2 have an empty body`() async throws {
        let handler: HTTPServer.Handler = { request in
            switch request.path {
            case "/204": ServerResponse(status: 204)
            case "/304": ServerResponse(status: 304)
            default: .text("a body")
            }
        }
        try await withNginx(handler: handler) { nginx, session in
            for _ in 0..<3 {
                let head = try await session.reply(to: ExchangeRequest(.head, to: nginx.url()))
                #expect(head.status == 200 && head.data.isEmpty && head.headers["Content-Length"] == "6")
                for status in [204, 304] {
                    let reply = try await session.reply(to: ExchangeRequest(to: nginx.url("/\(status)")))
                    #expect(reply.status == status && reply.data.isEmpty)
                }
                #expect(try await session.reply(to: ExchangeRequest(to: nginx.url())).text == "a body")
            }
        }
    }

    @Test func `Redirects over HTTP 2 are followed, and 307 and 308 send the body again`() async throws {
        let handler: HTTPServer.Handler = { request in
            guard let step = Int(request.path.dropFirst()) else {
                return .text("\(request.method) \(request.body.count)")
            }
            let status = request.queryValue("status").flatMap { Int($0) } ?? 302
            var fields = HTTPFields()
            fields["Location"] = step == 0 ? "/end" : "/\(step - 1)?status=\(status)"
            return .text("moved", status: status, headers: fields)
        }
        try await withNginx(handler: handler) { nginx, session in
            for (status, end) in [(302, "GET 0"), (303, "GET 0"), (307, "POST 300000"), (308, "POST 300000")] {
                for kind in [BodyKind.data, .stream, .unknown, .file] {
                    let body = try kind.body(Data(count: 300_000), file: nginx.file("body"))
                    let url = nginx.url("/2?status=\(status)")
                    let reply = try await session.reply(to: ExchangeRequest(.post, to: url, body: body))
                    #expect(reply.text == end, "\(status) \(kind)")
                    #expect(reply.url == nginx.url("/end"))
                }
            }
        }
    }

    /// Sixty fields of a thousand bytes go, and some come.
    @Test(arguments: [20, 60])
    func `Headers of 60 KB pass each way over HTTP 2, and responses above headerBytes fail with tooLarge`(answers: Int)
        async throws
    {
        let value = String(repeating: "v", count: 1_000)
        let handler: HTTPServer.Handler = { request in
            var fields = HTTPFields()
            for index in 0..<answers { fields.add("Answer-\(index)", value) }
            for index in 0..<3 { fields.add("Repeated", "\(index)") }
            let count = (0..<60).count { request.headers["Question-\($0)"] == value }
            return .text("\(count)", headers: fields)
        }
        var limits = HTTPLimits()
        limits.headerBytes = 200_000
        try await withNginx(limits: limits, handler: handler) { nginx, session in
            var headers: [String: String] = [:]
            for index in 0..<60 { headers["Question-\(index)"] = value }
            let request = ExchangeRequest(to: nginx.url(), headers: headers)
            var small = request
            small.limits.headerBytes = 10_000
            #expect(try await session.failure(of: small)?.reason == .tooLarge(.headerBytes, limit: 10_000))
            for _ in 0..<3 {
                let log = EventLog()
                session.events(for: request).subscribe(log)
                // Compressed to nothing but the first time, such a head comes in one piece.
                #expect(try await log.end.value() == nil)
                #expect(log.data == Data("60".utf8))
                let fields = try #require(log.head?.headers)
                #expect((0..<answers).allSatisfy { fields["answer-\($0)"] == value })
                #expect(fields.values(for: "Repeated") == ["0", "1", "2"])
            }
        }
    }

    @Test func `The trailers of an HTTP 2 response are dropped`() async throws {
        try await withNginx { nginx, session in
            let data = Data.pattern(200_000)
            try data.write(to: nginx.file("trailed"))
            for _ in 0..<3 {
                let log = EventLog()
                session.events(for: ExchangeRequest(to: nginx.url("/trailers/trailed"))).subscribe(log)
                let failure = try await log.end.value()
                #expect(failure == nil)
                #expect(log.data == data)
                #expect(log.head?.headers["Checksum"] == nil)
                #expect(log.events.count { if case .head = $0 { true } else { false } } == 1)
            }
        }
    }

    @Test func `A file is uploaded and downloaded whole over HTTP 2`() async throws {
        try await withNginx { nginx, session in
            let file = nginx.file("source")
            try Data.pattern(5 << 20).write(to: file)
            let put = ExchangeRequest(.put, to: nginx.url("/files/target"), body: .file(file))
            #expect(try await session.reply(to: put).status == 201)
            #expect(
                try await session.reply(to: ExchangeRequest(to: nginx.url("/files/target"))).data
                    == Data.pattern(5 << 20)
            )
            #expect(try Data(contentsOf: nginx.file("target")) == Data.pattern(5 << 20))
        }
    }
}
#endif
