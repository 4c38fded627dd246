import Foundation
import LoopbackServer

/// A JSON value. Objects keep the order of their members, so that the output is always the same.
indirect enum JSONValue: Sendable, Equatable {
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

    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The object with other members added, which replace those of the same name.
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

    /// The value as UTF-8 without white space (RFC 8259).
    var encoded: Data { Data(text.utf8) }

    private var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): "\(value)"
        case .string(let value): jsonString(value)
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(jsonString($0.name)):\($0.value.text)" }.joined(separator: ",") + "}"
        }
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

extension ServerResponse {
    static func json(_ value: JSONValue, status: Int = 200, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        .json(value.encoded, status: status, headers: headers)
    }

    /// An array of encoded elements.
    static func json(joining elements: some Sequence<Data>, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        .json(Data("[".utf8) + elements.joined(separator: ",".utf8) + "]".utf8, headers: headers)
    }
}
