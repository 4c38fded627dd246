import Basics
import Foundation
import LoopbackServer

/// The photo API, as Unsplash has it. It accepts any access key.
struct PhotoRoutes: Sendable {
    let rate: RateLimit

    func add(to router: inout Router, under prefix: String) {
        router.on("GET", "\(prefix)/photos") { request, _ in
            guarded(request) { headers in
                let links = Self.page(of: request, total: PhotoData.photos.count)
                Self.add(links, for: request, to: &headers)
                let base = request.baseURL + prefix
                return .json(joining: PhotoData.photos[links.range].lazy.map { $0.encoded(at: base) }, headers: headers)
            }
        }
        router.on("GET", "\(prefix)/photos/random") { request, _ in
            guarded(request) { headers in Self.random(request, request.baseURL + prefix, headers) }
        }
        router.on("GET", "\(prefix)/photos/:id") { request, parameters in
            guarded(request) { headers in
                guard let index = PhotoData.indices[parameters["id"]] else {
                    return Self.failure(404, "Couldn't find Photo", headers)
                }
                return .json(PhotoData.photos[index].encoded(at: request.baseURL + prefix), headers: headers)
            }
        }
        router.on("GET", "\(prefix)/search/photos") { request, _ in
            guarded(request) { headers in Self.search(request, request.baseURL + prefix, &headers) }
        }
        // Images need no key, as at the real host.
        router.on("GET", "\(prefix)/images/:id") { request, parameters in
            guard let index = PhotoData.indices[parameters["id"]] else {
                throw HTTPError(404, "There is no such image.")
            }
            let width = try request.number("w", in: 8...4_096, default: 2_048)
            let svg = Self.image(color: PhotoData.photos[index].color, width: width)
            return ServerResponse(headers: HTTPFields(["Content-Type": "image/svg+xml"]), body: .data(Data(svg.utf8)))
        }
    }

    /// Refuses requests without a key, and counts the others.
    private func guarded(
        _ request: ServerRequest,
        _ respond: (inout HTTPFields) -> ServerResponse
    ) -> ServerResponse {
        guard Self.hasKey(request) else {
            return Self.failure(401, "OAuth error: The access token is invalid", HTTPFields())
        }
        let remaining = rate.take()
        var headers = HTTPFields([
            "X-Ratelimit-Limit": String(rate.limit), "X-Ratelimit-Remaining": String(remaining ?? 0),
        ])
        guard remaining != nil else { return .text("Rate Limit Exceeded", status: 403, headers: headers) }
        return respond(&headers)
    }

    private static func hasKey(_ request: ServerRequest) -> Bool {
        if let key = request.queryValue("client_id"), !key.isEmpty { return true }
        let parts = (request.headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].equalsIgnoringCase("Client-ID") && !parts[1].trimmingBlanks().isEmpty
    }

    private static func page(of request: ServerRequest, total: Int) -> PageLinks {
        let size = request.queryValue("per_page").flatMap { Int($0) } ?? 10
        return PageLinks(page: request.queryValue("page").flatMap { Int($0) }, size: min(size, 30), total: total)
    }

    private static func add(_ links: PageLinks, for request: ServerRequest, to headers: inout HTTPFields) {
        let value = links.header(for: request, pageName: "page", sizeName: "per_page", leavingOut: "client_id")
        headers.add("Link", value)
        headers.add("X-Total", String(links.total))
        headers.add("X-Per-Page", String(links.size))
    }

    private static func random(_ request: ServerRequest, _ base: String, _ headers: HTTPFields) -> ServerResponse {
        guard let text = request.queryValue("count") else {
            return .json(PhotoData.photos.randomElement()?.encoded(at: base) ?? Data(), headers: headers)
        }
        let count = min(max(1, Int(text) ?? 1), 30)
        return .json(joining: PhotoData.photos.shuffled().prefix(count).map { $0.encoded(at: base) }, headers: headers)
    }

    private static func search(_ request: ServerRequest, _ base: String, _ headers: inout HTTPFields) -> ServerResponse
    {
        let words = (request.queryValue("query") ?? "").lowercased().split(separator: " ")
        guard !words.isEmpty else { return failure(400, "query is missing", headers) }
        let found = PhotoData.photos.filter { photo in words.allSatisfy { photo.searchText.contains($0) } }
        let links = page(of: request, total: found.count)
        add(links, for: request, to: &headers)
        let pages = found.isEmpty ? 0 : links.lastPage
        var body = Data("{\"total\":\(found.count),\"total_pages\":\(pages),\"results\":[".utf8)
        body.append(Data(found[links.range].map { $0.encoded(at: base) }.joined(separator: ",".utf8)))
        body.append(Data("]}".utf8))
        return .json(body, headers: headers)
    }

    private static func image(color: String, width: Int) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(width * 2 / 3)">
        <rect width="100%" height="100%" fill="\(color)"/></svg>
        """
    }

    private static func failure(_ status: Int, _ message: String, _ headers: HTTPFields) -> ServerResponse {
        .json(["errors": [.string(message)]], status: status, headers: headers)
    }
}

/// A limit on the number of requests in an hour of the clock.
final class RateLimit: Sendable {
    let limit: Int
    private let now: @Sendable () -> Date
    private let state = Locked((hour: 0.0, used: 0))

    init(limit: Int, now: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.now = now
    }

    /// Counts a request. Returns the number of remaining requests; `nil` if the limit is exceeded.
    func take() -> Int? {
        let hour = (now().timeIntervalSince1970 / 3_600).rounded(.down)
        return state.withLock { state in
            if state.hour != hour { state = (hour, 0) }
            guard state.used < limit else { return nil }
            state.used += 1
            return limit - state.used
        }
    }
}
