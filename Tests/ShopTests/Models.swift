import APIBaseKit

/// An amount. The shop writes prices as text and totals as numbers.
struct Money: Codable, Hashable, Sendable {
    @LenientDecimal var amount: Decimal
    var currencyCode: String
}

struct Product: Codable, Hashable, Sendable, Identifiable {
    var id: Int
    var sku: String
    var displayName: String
    var description: String?
    var unitPrice: Money
    var createdAt: Date
    var tags: [String]
    var imageUrl: String?
    var version: Int
}

struct NewProduct: Codable, Hashable, Sendable {
    var sku: String
    var displayName: String
    var unitPrice: Money
}

struct Order: Codable, Hashable, Sendable, Identifiable {
    enum Status: String, Sendable { case new, paid, shipped }

    struct Line: Codable, Hashable, Sendable {
        var productId: Int
        var quantity: Int
        var unitPrice: Money
    }

    var id: String
    var placedAt: Date
    var status: OpenEnum<Status>
    var total: Money
    var lines: [Line]
    var customerId: Int?
}

struct OrderEvent: Codable, Hashable, Sendable {
    var orderId: String
    var kind: String
    var at: Date
}

/// What became of one line of a bulk request.
struct BulkResult: Decodable, Hashable, Sendable {
    struct Failure: Decodable, Hashable, Sendable {
        var errorCode: String
        var detail: String
    }

    var line: Int
    var sku: String?
    var status: Int
    var error: Failure?
}

struct Export: Decodable, Sendable {
    var id: String
    var status: String
    var progress: Double?
    var fileUrl: String?
}
