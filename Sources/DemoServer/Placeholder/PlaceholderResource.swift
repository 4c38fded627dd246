import Foundation

/// One list of the placeholder API, made once and encoded once.
struct PlaceholderResource: Sendable {
    let name: String
    /// In the order of their ids, which count from 1.
    let items: [JSONValue]
    let encodedItems: [Data]

    init(_ name: String, count: Int, make: (Int) -> JSONValue) {
        self.name = name
        items = (1...count).map(make)
        encodedItems = items.map(\.encoded)
    }

    /// The position of the item with that id.
    func index(ofID id: Int?) -> Int? {
        guard let id, items.indices.contains(id - 1) else { return nil }
        return id - 1
    }

    /// The positions of the items whose members have those values as text; names that no item has select nothing.
    func indices(where conditions: [(name: String, value: String)]) -> [Int] {
        guard !conditions.isEmpty else { return Array(items.indices) }
        return items.indices.filter { index in
            conditions.allSatisfy { items[index][$0.name]?.scalarText == $0.value }
        }
    }
}

extension JSONValue {
    fileprivate var scalarText: String? {
        switch self {
        case .bool(let value): String(value)
        case .int(let value): String(value)
        case .string(let value): value
        case .null, .double, .array, .object: nil
        }
    }
}
