import Foundation

/// The lists of the placeholder API, with the sizes of JSONPlaceholder's.
enum PlaceholderData {
    static let all = [users, posts, comments, todos, albums, photos]

    static let users = PlaceholderResource("users", count: 10) { id in
        [
            "id": .int(id), "name": "User \(id)", "username": "user\(id)", "email": "user\(id)@example.com",
            "address": [
                "street": "Street \(id)", "suite": "Suite \(id * 7)", "city": "City \(id)",
                "zipcode": "\(10_000 + id * 111)-\(1_000 + id)",
                "geo": ["lat": "\(id * 8 - 44).\(1_000 + id)", "lng": "\(id * 31 - 170).\(2_000 + id)"],
            ],
            "phone": "555-01\(id + 10)", "website": "user\(id).example.com",
            "company": [
                "name": "Company \(id)", "catchPhrase": .string(words(3, from: id)),
                "bs": .string(words(2, from: id + 50)),
            ],
        ]
    }

    static let posts = PlaceholderResource("posts", count: 100) { id in
        [
            "userId": .int((id - 1) / 10 + 1), "id": .int(id), "title": .string(words(5, from: id)),
            "body": .string((0..<4).map { words(6, from: id * 4 + $0) }.joined(separator: "\n")),
        ]
    }

    static let comments = PlaceholderResource("comments", count: 500) { id in
        [
            "postId": .int((id - 1) / 5 + 1), "id": .int(id), "name": .string(words(4, from: id)),
            "email": "reader\(id)@example.com",
            "body": .string((0..<3).map { words(7, from: id * 3 + $0) }.joined(separator: "\n")),
        ]
    }

    static let todos = PlaceholderResource("todos", count: 200) { id in
        [
            "userId": .int((id - 1) / 20 + 1), "id": .int(id), "title": .string(words(4, from: id)),
            "completed": .bool(id % 3 == 1),
        ]
    }

    static let albums = PlaceholderResource("albums", count: 100) { id in
        ["userId": .int((id - 1) / 10 + 1), "id": .int(id), "title": .string(words(3, from: id))]
    }

    static let photos = PlaceholderResource("photos", count: 5_000) { id in
        let color = String(0x100_0000 + id * 99_991 % 0x100_0000, radix: 16).dropFirst()
        return [
            "albumId": .int((id - 1) / 50 + 1), "id": .int(id), "title": .string(words(4, from: id)),
            "url": "https://images.example.com/600/\(color)", "thumbnailUrl": "https://images.example.com/150/\(color)",
        ]
    }

    private static let vocabulary = [
        "amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbor", "inlet", "juniper", "kelp", "lagoon",
        "meadow", "north", "ocean", "prairie", "quartz", "river", "summit", "tundra", "upland", "valley", "willow",
    ]

    /// `count` words, always the same for a seed.
    private static func words(_ count: Int, from seed: Int) -> String {
        (0..<count).map { vocabulary[(seed * 7 + $0 * $0 * 5 + $0 * seed) % vocabulary.count] }.joined(separator: " ")
    }
}

/// One list of the placeholder API, encoded once.
struct PlaceholderResource: Sendable {
    let name: String
    /// The items by ID, from 1.
    let items: [JSONValue]
    let encodedItems: [Data]

    init(_ name: String, count: Int, make: (Int) -> JSONValue) {
        self.name = name
        items = (1...count).map(make)
        encodedItems = items.map(\.encoded)
    }

    func index(ofID id: Int?) -> Int? {
        guard let id, items.indices.contains(id - 1) else { return nil }
        return id - 1
    }

    /// The indices of the items whose members have these values as text.
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
