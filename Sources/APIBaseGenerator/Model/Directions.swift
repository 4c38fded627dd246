import OpenAPIDocument

/// Which schemas a document sends in requests, and which it receives in responses.
///
/// All operations count, so that choosing fewer of them changes no type.
struct Directions {
    /// The ways that a value goes.
    struct Way: OptionSet {
        let rawValue: Int
        static let sent = Way(rawValue: 1)
        static let received = Way(rawValue: 2)
    }

    private var sent: Set<String> = []
    private var received: Set<String> = []

    init(_ document: Document, _ outlines: [OperationOutline]) {
        let components = document.root.json["components"] ?? .null
        var seen: (sent: Set<String>, received: Set<String>) = ([], [])
        for outline in outlines {
            if let body = outline.node.json["requestBody"] { Self.follow(body, in: components, &seen.sent) }
            if let replies = outline.node.json["responses"] { Self.follow(replies, in: components, &seen.received) }
        }
        (sent, received) = seen
    }

    /// Whether the schema at this pointer is a part of a request, and of a response.
    func way(of pointer: String) -> Way {
        let name = Self.whole(pointer) ?? ""
        let isSent = Self.isOfOperation(pointer, "requestBody") || sent.contains(name)
        let isReceived = Self.isOfOperation(pointer, "responses") || received.contains(name)
        return [isSent ? .sent : [], isReceived ? .received : []]
    }

    /// Whether a pointer leads to this part of an operation: `#/paths/~1a/get/responses/200`.
    private static func isOfOperation(_ pointer: String, _ part: String) -> Bool {
        let parts = pointer.split(separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
        return parts.count > 4 && (parts[1] == "paths" || parts[2] == "pathItems")
            && parts[4..<min(6, parts.count)].contains { $0 == part }
    }

    /// The reference to the named schema in which a pointer leads.
    private static func whole(_ pointer: String) -> String? {
        let parts = pointer.split(separator: "/", maxSplits: 4)
        return parts.count > 3 ? parts.prefix(4).joined(separator: "/") : nil
    }

    /// Keeps the references in a value, and in what they lead to.
    private static func follow(_ value: JSON, in components: JSON, _ seen: inout Set<String>) {
        switch value {
        case .array(let elements): for element in elements { follow(element, in: components, &seen) }
        case .object(let members):
            if let reference = members["$ref"]?.string, let whole = whole(reference), seen.insert(whole).inserted {
                let parts = whole.split(separator: "/").suffix(2).map { String($0).unescapedFromPointer }
                if let target = components[parts[0]]?[parts[1]] { follow(target, in: components, &seen) }
            }
            for value in members.values { follow(value, in: components, &seen) }
        case .null, .bool, .number, .string: break
        }
    }
}
