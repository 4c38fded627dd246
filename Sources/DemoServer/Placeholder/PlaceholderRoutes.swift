import Foundation
import LoopbackServer

/// The placeholder API. Lists can be read and filtered. Changes are answered, but not stored.
struct PlaceholderRoutes: Sendable {
    private static let nested = [
        (parent: "posts", key: "postId", child: PlaceholderData.comments),
        (parent: "users", key: "userId", child: PlaceholderData.posts),
        (parent: "users", key: "userId", child: PlaceholderData.todos),
        (parent: "users", key: "userId", child: PlaceholderData.albums),
        (parent: "albums", key: "albumId", child: PlaceholderData.photos),
    ]

    func add(to router: inout Router, under prefix: String) {
        for resource in PlaceholderData.all {
            let path = "\(prefix)/\(resource.name)"
            router.on("GET", path) { request, _ in list(resource, request) }
            router.on("POST", path) { request, _ in try create(resource, request) }
            addItemRoutes(of: resource, at: "\(path)/:id", to: &router)
        }
        for (parent, key, child) in Self.nested {
            router.on("GET", "\(prefix)/\(parent)/:id/\(child.name)") { request, parameters in
                list(child, request, conditions: [(key, parameters["id"])])
            }
        }
    }

    private func addItemRoutes(of resource: PlaceholderResource, at path: String, to router: inout Router) {
        router.on("GET", path) { _, parameters in
            guard let index = resource.index(ofID: parameters.number("id")) else { return Self.notFound }
            return .json(resource.encodedItems[index])
        }
        router.on("PUT", path) { request, parameters in
            guard let index = resource.index(ofID: parameters.number("id")) else { return Self.notFound }
            return .json(try Self.changes(in: request, id: index + 1))
        }
        router.on("PATCH", path) { request, parameters in
            guard let index = resource.index(ofID: parameters.number("id")) else { return Self.notFound }
            guard case .object(let changes) = try Self.changes(in: request, id: index + 1) else { return Self.notFound }
            return .json(resource.items[index].merging(changes))
        }
        router.on("DELETE", path) { _, parameters in
            resource.index(ofID: parameters.number("id")) == nil ? Self.notFound : .json([:])
        }
    }

    private func list(
        _ resource: PlaceholderResource,
        _ request: ServerRequest,
        conditions: [(name: String, value: String)] = []
    ) -> ServerResponse {
        let wanted = conditions + request.query.filter { !$0.name.hasPrefix("_") }.map { ($0.name, $0.value) }
        var indices = resource.indices(where: wanted)[...]
        var headers = HTTPFields()
        let page = request.queryValue("_page")
        let limit = request.queryValue("_limit")
        if page != nil || limit != nil {
            let size = limit.flatMap { Int($0) } ?? 10
            let links = PageLinks(page: page.flatMap { Int($0) }, size: size, total: indices.count)
            headers.add("X-Total-Count", String(indices.count))
            if page != nil {
                headers.add("Link", links.header(for: request, pageName: "_page", sizeName: "_limit"))
            }
            indices = indices[links.range]
        }
        return .json(joining: indices.lazy.map { resource.encodedItems[$0] }, headers: headers)
    }

    /// Answers with the ID after the last one, always the same, because nothing is stored.
    private func create(_ resource: PlaceholderResource, _ request: ServerRequest) throws -> ServerResponse {
        let id = resource.items.count + 1
        return .json(
            try Self.changes(in: request, id: id),
            status: 201,
            headers: HTTPFields(["Location": "\(request.absolutePath)/\(id)"])
        )
    }

    private static func changes(in request: ServerRequest, id: Int) throws -> JSONValue {
        try request.jsonObject(isOptional: true).merging([JSONValue.Member(name: "id", value: .int(id))])
    }

    private static var notFound: ServerResponse { .json([:], status: 404) }
}
