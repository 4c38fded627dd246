import APIBaseContract
import Foundation

class ShopAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example.com/v2") }
}

struct ShopBook: Codable, Equatable {
    var id: Int?
    var title: String?
}

final class ShopBookRequest: ShopAPI, Request {
    typealias ModelType = ShopBook

    init(id: Int) { super.init(.get("/books/\(id)")) }
}

final class OtherAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://other.example.com") }
}

/// The document of the tests.
let bookshop = try? APIDocument(
    contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("bookshop.json")
)
