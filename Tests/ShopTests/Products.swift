import APIBaseKit

/// `GET /products`, by cursor.
final class ProductsRequest: ShopAPI, PagedRequest {
    struct ModelType: Decodable, Sendable {
        var items: [Product]
        var nextCursor: String?
        var totalCount: Int
    }

    init(limit: Int = 100, since: Date? = nil, below price: Decimal? = nil) {
        super.init(.get("/products", query: ["limit": limit, "since": since, "below": price]))
    }

    func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        page.nextCursor.map { .query(["cursor": $0]) }
    }
}

final class ProductRequest: ShopAPI, Request {
    typealias ModelType = Product

    init(id: Int) {
        super.init(.get("/products/\(segment: id)"))
        cache = Self.cache
        sharing = .safeMethods
    }
}

final class CreateProductRequest: ShopAPI, Request {
    typealias ModelType = Product

    init(_ product: NewProduct) {
        super.init(.post("/products", json: product))
        idempotencyKey = .automatic
    }
}

final class UpdateProductRequest: ShopAPI, Request {
    typealias ModelType = Product

    init(id: Int, _ change: ProductChange, ifMatch etag: String? = nil) {
        super.init(.patch("/products/\(segment: id)", content: .mergePatch(change)))
        headers["If-Match"] = etag
    }
}

final class DeleteProductRequest: ShopAPI, Request {
    typealias ModelType = Void
    init(id: Int) { super.init(.delete("/products/\(segment: id)")) }
}

final class UploadImageRequest: ShopAPI, Request {
    struct ModelType: Decodable, Sendable { var imageUrl: String }

    init(id: Int, image: URL, caption: String) {
        let parts = [
            MultipartPart(name: "caption", value: caption),
            MultipartPart(name: "image", content: .file(image, type: "image/png")),
        ]
        super.init(.post("/products/\(segment: id)/image", content: .multipart(parts)))
    }
}

/// `POST /products/bulk`: one product on each line, one result on each line of the response.
final class BulkRequest: ShopAPI {
    init(_ products: [NewProduct]) {
        super.init(.post("/products/bulk"))
        content = .jsonLines(products, encoder: encoder)
        acceptedTypes = ["application/x-ndjson"]
        idempotencyKey = .automatic
    }

    func eachResult() -> CallSequence<BulkResult> { eachValue(of: BulkResult.self) }
}

struct ProductChange: Encodable, Sendable {
    @Patch var displayName: String?
    @Patch var description: String?
    @Patch var unitPrice: Money?
}
