import APIBaseKit

/// Writes all products, each with its details, and all orders into files.
struct ShopSync: Sendable {
    struct Result: Equatable, Sendable {
        var products: Int
        var orders: Int
    }

    var folder: URL
    var concurrency = 8
    /// Called with the name of a file and the number of its lines.
    var onProgress: @Sendable (String, Int) async -> Void = { _, _ in }

    func run() async throws -> Result {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        async let products = writeProducts()
        async let orders = write(OrdersRequest().eachElement(), to: "orders.jsonl")
        return try await Result(products: products, orders: orders)
    }

    private func writeProducts() async throws -> Int {
        let details = ProductsRequest().eachElement(\.items).concurrentMap(atMost: concurrency) {
            try await ProductRequest(id: $0.id).value()
        }
        return try await write(details, to: "products.jsonl")
    }

    private func write<Value: Encodable>(_ values: CallSequence<Value>, to name: String) async throws -> Int {
        let file = try JSONLinesFile(folder.appendingPathComponent(name))
        for try await value in values {
            try file.append(value)
            await onProgress(name, file.count)
        }
        try file.finish()
        return file.count
    }
}

/// A file of JSON Lines, which has its name when it is complete.
final class JSONLinesFile {
    private(set) var count = 0
    private let file: URL
    private let partial: URL
    private let handle: FileHandle
    private let encoder = JSONEncoder()

    /// Removes the file of an earlier run.
    init(_ file: URL) throws {
        self.file = file
        partial = file.appendingPathExtension("partial")
        try? FileManager.default.removeItem(at: file)
        try Data().write(to: partial)
        handle = try FileHandle(forWritingTo: partial)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .rfc3339
    }

    func append(_ value: some Encodable) throws {
        try handle.write(contentsOf: encoder.encode(value) + Data("\n".utf8))
        count += 1
    }

    func finish() throws {
        try handle.close()
        try FileManager.default.moveItem(at: partial, to: file)
    }
}
