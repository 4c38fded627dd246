#if os(Linux)
import LoopbackServer
import Foundation
import HostileServer
import HTTPTransport
import Basics
import PortableCombine
import TestTiers
import Testing

/// Many exchanges on one connection, with a server that is not ours.
@Suite(.tags(.concurrent), .speaksHTTP2, .limited) struct CurlHTTP2Tests {
    @Test
    func `CurlSession uses the HTTP version of its httpVersion setting and reports it in the response`() async throws {
        try await withNginx { nginx, session in
            for (version, told) in [
                (.automatic, "HTTP/2"), (.http2, "HTTP/2"), (.http1, "HTTP/1.1"),
            ] as [(CurlSession.Configuration.HTTPVersion, String)] {
                var configuration = nginx.configuration
                configuration.httpVersion = version
                let log = EventLog()
                CurlSession(configuration: configuration).events(for: ExchangeRequest(to: nginx.url())).subscribe(log)
                let failure = try await log.end.value()
                #expect(failure == nil)
                #expect(log.head?.httpVersion == told)
                #expect(log.data == Data("ok".utf8))
            }
        }
    }

    @Test func `Without TLS, the setting httpVersion = .http2 uses HTTP 2 by prior knowledge`() async throws {
        try await withNginx { nginx, _ in
            var configuration = CurlSession.Configuration()
            configuration.httpVersion = .http2
            let session = CurlSession(configuration: configuration)
            let log = EventLog()
            try session.events(for: ExchangeRequest(port: nginx.plainPort)).subscribe(log)
            #expect(try await log.end.value() == nil)
            #expect(log.head?.httpVersion == "HTTP/2")
            #expect(log.data == Data("ok".utf8))
            for _ in 0..<2 {
                let next = try await session.result(of: ExchangeRequest(port: nginx.plainPort))
                #expect(next.failure == nil)
            }
        }
    }

    /// Libraries before 8.0 may forget what they have read of one stream while they work on another of its connection.
    @Test func `All 128 parallel downloads on a new HTTP 2 session arrive whole`() async throws {
        try await withNginx { nginx, _ in
            try Data(repeating: 7, count: 5_550).write(to: nginx.file("bytes"))
            let request = ExchangeRequest(to: nginx.url("/files/bytes"))
            for _ in 0..<(runsAllTests ? 40 : 2) {
                let session = CurlSession(configuration: nginx.configuration)
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<128 {
                        group.addTask { try await session.reply(to: request).text.utf8.count }
                    }
                    for try await count in group { #expect(count == 5_550) }
                }
                await session.shutdown()
            }
        }
    }

    /// None of them is answered before all have come.
    @Test func `One HTTP 2 connection carries 64 requests at the same time`() async throws {
        let arrived = Locked(0)
        let all = DispatchSemaphore(value: 0)
        let handler: HTTPServer.Handler = { request in
            guard request.path != "/first" else { return .text("first") }
            let isLast = arrived.withLock { arrived in
                arrived += 1
                return arrived == 64
            }
            if isLast { for _ in 0..<64 { all.signal() } }
            return all.wait(timeout: .now() + 120) == .success ? .text(request.path) : .error(504, "alone")
        }
        try await withNginx(threads: 1, handler: handler) { nginx, session in
            let first = try await session.reply(to: ExchangeRequest(to: nginx.url("/first")))
            let number = try #require(first.headers["Connection-Number"])
            try await withThrowingTaskGroup(of: (String, Reply).self) { group in
                for index in 0..<64 {
                    let path = "/\(index)"
                    let request = ExchangeRequest(to: nginx.url(path))
                    group.addTask { (path, try await session.reply(to: request)) }
                }
                for try await (path, reply) in group {
                    #expect(reply.text == path)
                    #expect(reply.headers["Connection-Number"] == number)
                }
            }
        }
    }

    /// On a new session it is not known yet that one connection for each event loop will do.
    @Test(arguments: [1, 2, 4])
    func `The first 64 requests of a session open at most one HTTP 2 connection per event loop`(loops: Int) async throws
    {
        try await withNginx(threads: loops) { nginx, session in
            let request = ExchangeRequest(to: nginx.url())
            let numbers = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<64 {
                    group.addTask { try await session.reply(to: request).headers["Connection-Number"] }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect((1...loops).contains(numbers.count))
        }
    }

    /// More at a time than the server allows on a connection.
    @Test func `Over HTTP 2, 100 requests succeed when the server allows four streams per connection`() async throws {
        let handler: HTTPServer.Handler = { .text("\($0.method) \($0.body.count)") }
        try await withNginx("http2_max_concurrent_streams 4;", handler: handler) { nginx, session in
            try await withThrowingTaskGroup(of: (String, String).self) { group in
                for index in 0..<100 {
                    let method: HTTPMethod = index.isMultiple(of: 2) ? .get : .post
                    let size = method == .get ? 0 : index * 100
                    let request = ExchangeRequest(method, to: nginx.url(), body: .data(Data(count: size)))
                    group.addTask { ("\(method.rawValue) \(size)", try await session.reply(to: request).text) }
                }
                for try await (sent, received) in group { #expect(sent == received) }
            }
        }
    }

    @Test func `Canceling an HTTP 2 request ends its stream and keeps the connection`() async throws {
        let (gate, held) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let handler: HTTPServer.Handler = { request in
            switch request.path {
            case "/silent":
                _ = gate.wait(timeout: .now() + 120)
                return .text("too late")
            case "/through/endless":
                return ServerResponse(
                    body: .stream { write in
                        while true { try write(Data(count: 20_000)) }
                    }
                )
            case "/held":
                _ = held.wait(timeout: .now() + 120)
                return .text("held")
            default: return .text("ok")
            }
        }
        try await withNginx(handler: handler) { nginx, session in
            // The server waits for its handlers when it stops.
            defer { for gate in [gate, held] { for _ in 0..<5 { gate.signal() } } }
            _ = try await session.reply(to: ExchangeRequest(to: nginx.url()))
            for round in 0..<5 {
                let endless = EventLog()
                var request = ExchangeRequest(to: nginx.url("/through/endless"))
                request.limits.responseBytes = .max
                session.events(for: request).subscribe(endless)
                let other = EventLog()
                session.events(for: ExchangeRequest(to: nginx.url("/held"))).subscribe(other)
                let silent = EventLog()
                session.events(for: ExchangeRequest(to: nginx.url("/silent"))).subscribe(silent)
                #expect(try await holds { endless.head != nil && endless.events.count > round })
                endless.cancel()
                silent.cancel()
                // The connection is still used, so libcurl has no reason to open another one.
                let next = try await session.reply(to: ExchangeRequest(to: nginx.url()))
                held.signal()
                #expect(try await other.end.value() == nil)
                #expect(other.data == Data("held".utf8))
                let numbers = [endless.head, other.head].map { $0?.headers["Connection-Number"] }
                #expect(next.headers["Connection-Number"] != nil)
                #expect(numbers == [next.headers["Connection-Number"], next.headers["Connection-Number"]])
                #expect(endless.ends == 0 && silent.ends == 0 && silent.events.isEmpty)
            }
        }
    }

    /// A reader that takes little gets all, in the end; the others on its connection do not wait for it.
    @Test func `A slow reader of an HTTP 2 stream does not delay other requests on its connection`() async throws {
        let size = 5 << 20
        try await withNginx { nginx, session in
            let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
            try data.write(to: nginx.file("large"))
            _ = try await session.reply(to: ExchangeRequest(to: nginx.url()))
            let log = EventLog(demand: .max(1))
            session.events(for: ExchangeRequest(to: nginx.url("/files/large"))).subscribe(log)
            try await log.wait(for: 1)
            // A chunk has up to a quarter of a megabyte, so this is half of the file at most.
            for _ in 0..<8 {
                #expect(try await session.reply(to: ExchangeRequest(to: nginx.url())).text == "ok")
                let count = log.events.count
                log.request(.max(1))
                try await log.wait(for: count + 1)
            }
            #expect(log.ends == 0 && log.data.count < size)
            log.request(.unlimited)
            #expect(try await log.end.value() == nil)
            #expect(log.data == data)
            let numbers = Set([log.head?.headers["Connection-Number"]])
            let next = try await session.reply(to: ExchangeRequest(to: nginx.url()))
            #expect(numbers == [next.headers["Connection-Number"]])
        }
    }
}
#endif
