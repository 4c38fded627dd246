import Foundation

/// A JSON value to compare by: members of objects have no order, numbers no spelling.
indirect enum JSONTree: Decodable, Hashable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    init(_ data: Data) throws { self = try JSONDecoder().decode(JSONTree.self, from: data) }

    /// The first place where `other` is different, as path, what is here, and what is there. With `isPart`, `other` may
    /// have members that are not here.
    func difference(from other: JSONTree, isPart: Bool, at path: String = "body") -> (String, String, String)? {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            for (name, value) in mine.sorted(by: { $0.key < $1.key }) {
                guard let their = theirs[name] else { return ("\(path).\(name)", value.description, "nothing") }
                if let found = value.difference(from: their, isPart: isPart, at: "\(path).\(name)") { return found }
            }
            guard !isPart, let name = theirs.keys.filter({ mine[$0] == nil }).min() else { return nil }
            return ("\(path).\(name)", "nothing", theirs[name]?.description ?? "")
        case (.array(let mine), .array(let theirs)):
            for (index, pair) in zip(mine, theirs).enumerated() {
                if let found = pair.0.difference(from: pair.1, isPart: isPart, at: "\(path)[\(index)]") { return found }
            }
            return mine.count == theirs.count ? nil : (path, "\(mine.count) elements", "\(theirs.count)")
        default:
            return self == other ? nil : (path, description, other.description)
        }
    }
}

extension JSONTree: CustomStringConvertible {
    /// How the value reads in a message: short, and an object or array by its size.
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "“\(value)”"
        case .array(let elements): "an array of \(elements.count)"
        case .object(let members): "an object of \(members.count)"
        }
    }
}
