import Foundation

/// The photo API, in the shapes of Unsplash: a key is needed, any key will do.
struct PhotoRoutes: Sendable {
    let rate: RateLimit

    func add(to router: inout Router, under prefix: String) {
        router.on("GET", "\(prefix)/photos") { request, _ in
            guarded(request) { headers in
                let links = Self.page(of: request, total: PhotoData.photos.count)
                Self.add(links, for: request, to: &headers)
                let base = request.base(prefix)
                return .json(joining: PhotoData.photos[links.range].lazy.map { $0.encoded(at: base) }, headers: headers)
            }
        }
        router.on("GET", "\(prefix)/photos/random") { request, _ in
            guarded(request) { headers in Self.random(request, request.base(prefix), headers) }
        }
        router.on("GET", "\(prefix)/photos/:id") { request, parameters in
            guarded(request) { headers in
                guard let index = PhotoData.indices[parameters["id"]] else {
                    return Self.failure(404, "Couldn't find Photo", headers)
                }
                return .json(PhotoData.photos[index].encoded(at: request.base(prefix)), headers: headers)
            }
        }
        router.on("GET", "\(prefix)/search/photos") { request, _ in
            guarded(request) { headers in Self.search(request, request.base(prefix), &headers) }
        }
        // Pictures are for everybody, as at the real host.
        router.on("GET", "\(prefix)/images/:id") { request, parameters throws(HTTPFault) in
            guard let index = PhotoData.indices[parameters["id"]] else {
                throw HTTPFault(404, "There is no such picture.")
            }
            let width = try request.number("w", in: 8...4_096, default: 2_048)
            let picture = PhotoPicture(color: PhotoData.photos[index].color, width: width)
            return ServerResponse(headers: HTTPFields(["Content-Type": "image/png"]), body: .data(picture.png))
        }
    }

    /// Answers only to requests with a key, and counts them.
    private func guarded(
        _ request: ServerRequest,
        _ answer: (inout HTTPFields) -> ServerResponse
    ) -> ServerResponse {
        guard Self.hasKey(request) else {
            return Self.failure(401, "OAuth error: The access token is invalid", HTTPFields())
        }
        let remaining = rate.take()
        var headers = HTTPFields([
            "X-Ratelimit-Limit": String(rate.limit), "X-Ratelimit-Remaining": String(remaining ?? 0),
        ])
        guard remaining != nil else { return .text("Rate Limit Exceeded", status: 403, headers: headers) }
        return answer(&headers)
    }

    private static func hasKey(_ request: ServerRequest) -> Bool {
        if let key = request.queryValue("client_id"), !key.isEmpty { return true }
        let parts = (request.headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].isSameName(as: "Client-ID") && !parts[1].trimmingBlanks().isEmpty
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

    private static func failure(_ status: Int, _ message: String, _ headers: HTTPFields) -> ServerResponse {
        .json(["errors": [.string(message)]], status: status, headers: headers)
    }
}

extension ServerRequest {
    /// The URL at which the client has found this API.
    fileprivate func base(_ prefix: String) -> String { "http://\(host ?? "localhost")\(prefix)" }
}
