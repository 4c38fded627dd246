import APIBaseKit

/// `GET /orders`, by `Link` headers.
final class OrdersRequest: ShopAPI, LinkPagedRequest {
    typealias ModelType = [Order]
    init(perPage: Int = 100) { super.init(.get("/orders", query: ["per_page": perPage])) }
}

/// `GET /orders/events`: the events of the day, until one of type `end`.
final class OrderEventsRequest: ShopAPI {
    override init() { super.init(.get("/orders/events")) }

    func forEach(_ body: (OrderEvent) async throws -> Void) async throws {
        for try await event in eachEvent() {
            if event.type == "end" { return }
            try await body(decode(OrderEvent.self, from: Data(event.data.utf8)))
        }
    }
}

final class StartExportRequest: ShopAPI, Request {
    typealias ModelType = Export
    override init() { super.init(.post("/exports")) }
}

final class ExportRequest: ShopAPI, Request {
    typealias ModelType = Export
    init(id: String) { super.init(.get("/exports/\(segment: id)")) }
}

final class ExportFileRequest: ShopAPI {
    init(id: String) {
        super.init(.get("/exports/\(segment: id)/file"))
        acceptedTypes = ["*/*"]
    }
}

struct ExportTimeout: Error {}

/// Starts an export, and asks for it as often as the shop wants until it is done.
func finishedExport(within limit: Duration = .seconds(60)) async throws -> Export {
    var left = limit
    var (export, response) = try await StartExportRequest().reply()
    while export.status == "running" {
        let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init) ?? 1
        left -= .seconds(seconds)
        guard left > .zero else { throw ExportTimeout() }
        try await CallScope.sleep(for: .seconds(seconds))
        (export, response) = try await ExportRequest(id: export.id).reply()
    }
    return export
}

/// Exports everything into a file.
func export(to file: URL) async throws -> URL {
    try await ExportFileRequest(id: finishedExport().id).downloaded(to: file)
}
