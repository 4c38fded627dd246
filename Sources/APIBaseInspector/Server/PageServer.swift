import Basics
import Foundation
import LoopbackServer

/// Serves the page, and its calls as events. It answers only programs of this machine, and gives calls only to the page
/// that knows the token.
final class PageServer: Sendable {
    private let server: HTTPServer
    private let feed: CallFeed

    /// The URL of the page, with the token.
    let url: URL

    /// - Throws: `SocketError`.
    init(port: UInt16, feed: CallFeed) throws {
        let token = Self.newToken()
        let page = InspectorPage().response
        var limits = HTTPLimits()
        limits.bodyBytes = 0
        // A page has two connections. What asks for nothing must not keep it out.
        limits.connections = 64
        limits.headTime = .seconds(5)
        limits.idleTime = .seconds(5)
        server = try HTTPServer(port: port, limits: limits, name: "APIBaseInspector") { request in
            do {
                try RequestCheck(request).pass()
                switch request.path {
                case "/": return page
                case "/events": return try Self.events(of: feed, for: request, token: token)
                default: throw HTTPError(404, "There is nothing here.")
                }
            } catch {
                return (error as? HTTPError ?? HTTPError(500, "\(error)")).response
            }
        }
        self.feed = feed
        url = URL(string: "/#k=\(token)", relativeTo: server.url)?.absoluteURL ?? server.url
    }

    deinit { stop() }

    func stop() {
        feed.end()
        server.stop()
    }

    /// 128 random bits.
    private static func newToken() -> String {
        (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
    }

    private static func events(
        of feed: CallFeed,
        for request: ServerRequest,
        token: String
    ) throws -> ServerResponse {
        guard request.headers["Authorization"].map({ isEqual($0, "Bearer \(token)") }) == true else {
            throw HTTPError(401, "The token is missing or wrong.", headers: HTTPFields(["WWW-Authenticate": "Bearer"]))
        }
        let last = (request.queryValue("after") ?? request.headers["Last-Event-ID"]).flatMap { Int($0) } ?? 0
        let headers = HTTPFields(["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
        return ServerResponse(headers: headers, body: .stream { try EventStream(feed, after: last).write($0) })
    }

    /// Compares in a time that depends only on the lengths.
    private static func isEqual(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Refuses what is not from the page itself: another site, or a name that leads to this machine (DNS rebinding).
private struct RequestCheck {
    private let request: ServerRequest

    init(_ request: ServerRequest) { self.request = request }

    func pass() throws {
        guard request.method == "GET" || request.method == "HEAD" else {
            throw HTTPError(405, "Only GET is allowed.", headers: HTTPFields(["Allow": "GET, HEAD"]))
        }
        guard let host = request.headers["Host"], Self.isLoopback(host), request.host == host else {
            throw HTTPError(421, "The host is not this server.")
        }
        guard request.headers.values(for: "Origin").allSatisfy({ $0 == "http://\(host)" }) else {
            throw HTTPError(403, "Another site may not read this.")
        }
        // The page itself has no data: a link to it may be anywhere.
        guard request.path == "/" || ["same-origin", "none"].contains(request.headers["Sec-Fetch-Site"] ?? "none")
        else {
            throw HTTPError(403, "Another site may not read this.")
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        let name = host.replacing(/:[0-9]{1,5}$/, with: "")
        return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
    }
}

/// The calls for one page, as Server-Sent Events.
private struct EventStream {
    /// The time between two writes without news, by which a closed connection is noticed.
    private static let pause = DispatchTimeInterval.seconds(5)
    /// The shortest time between two writes, so that the changes of a call go together.
    private static let interval = 0.05

    private let feed: CallFeed
    private let version: Int

    init(_ feed: CallFeed, after version: Int) { (self.feed, self.version) = (feed, version) }

    func write(_ write: (Data) throws -> Void) throws {
        let reader = feed.open(after: version)
        defer { feed.close(reader) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        try write(Data(": connected\n\n".utf8))
        while let news = feed.next(for: reader, within: Self.pause) {
            if news.lost > 0 { try write(Data("event: lost\ndata: \(news.lost)\n\n".utf8)) }
            for item in news.calls {
                let head = Data("id: \(item.version)\nevent: call\ndata: ".utf8)
                try write(head + encoder.encode(item.tracker.call) + Data("\n\n".utf8))
            }
            if news.calls.isEmpty { try write(Data(":\n\n".utf8)) }
            Thread.sleep(forTimeInterval: Self.interval)
        }
    }
}
