/// A JSON value whose objects keep the order of their members: what this server sends looks the same every time, which
/// `JSONEncoder` does not promise.
indirect enum JSONValue: Sendable, Equatable {
    /// One member of an object.
    struct Member: Sendable, Equatable {
        let name: String
        let value: JSONValue
    }

    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// The member of that name.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The object with those members in place of its own of the same name, or after them.
    func merging(_ changes: [Member]) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for change in changes {
            if let index = members.firstIndex(where: { $0.name == change.name }) {
                members[index] = change
            } else {
                members.append(change)
            }
        }
        return .object(members)
    }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
    init(nilLiteral: ()) { self = .null }
}
