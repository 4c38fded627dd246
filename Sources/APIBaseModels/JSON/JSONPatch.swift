/// An operation of a JSON Patch (RFC 6902), for `HTTPBody.jsonPatch(_:)`.
///
/// ```swift
/// let patch: [JSONPatch] = [.test("/version", 4), .replace("/title", "Swift"), .add("/tags/-", "language")]
/// ```
///
/// A path is a JSON Pointer (RFC 6901): the names and indices below the document, each after a slash, with `~1` for a
/// slash and `~0` for a tilde in a name. The empty path is the document itself.
public enum JSONPatch: Hashable, Sendable {
    /// Sets the member of an object, or inserts an element into an array before an index, or at its end with `-`.
    case add(_ path: String, _ value: JSONValue)
    /// Removes a value, which must exist.
    case remove(_ path: String)
    /// Replaces a value, which must exist.
    case replace(_ path: String, _ value: JSONValue)
    /// Removes a value, and adds it at another path, which must not be inside of it.
    case move(from: String, to: String)
    /// Adds a copy of a value at another path.
    case copy(from: String, to: String)
    /// Checks that a value exists and equals this one. Numbers are compared by their value: 1 equals 1.0.
    case test(_ path: String, _ value: JSONValue)
}

extension JSONPatch: Codable {
    private enum Key: String, CodingKey { case op, path, from, value }
    private enum Operation: String, Codable { case add, remove, replace, move, copy, test }

    /// Decodes an operation. Members that it does not have are ignored (RFC 6902, section 4).
    ///
    /// - Throws: `DecodingError` for an unknown operation, or one without a member that it needs.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let path = try members.decode(String.self, forKey: .path)
        switch try members.decode(Operation.self, forKey: .op) {
        case .add: self = .add(path, try members.decode(JSONValue.self, forKey: .value))
        case .remove: self = .remove(path)
        case .replace: self = .replace(path, try members.decode(JSONValue.self, forKey: .value))
        case .move: self = .move(from: try members.decode(String.self, forKey: .from), to: path)
        case .copy: self = .copy(from: try members.decode(String.self, forKey: .from), to: path)
        case .test: self = .test(path, try members.decode(JSONValue.self, forKey: .value))
        }
    }

    /// Encodes the operation as an object.
    ///
    /// - Throws: `EncodingError` for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        func encode(_ name: Operation, _ path: String) throws {
            try members.encode(name, forKey: .op)
            try members.encode(path, forKey: .path)
        }
        switch self {
        case .add(let path, let value):
            try encode(.add, path)
            try members.encode(value, forKey: .value)
        case .remove(let path): try encode(.remove, path)
        case .replace(let path, let value):
            try encode(.replace, path)
            try members.encode(value, forKey: .value)
        case .move(let from, let path):
            try encode(.move, path)
            try members.encode(from, forKey: .from)
        case .copy(let from, let path):
            try encode(.copy, path)
            try members.encode(from, forKey: .from)
        case .test(let path, let value):
            try encode(.test, path)
            try members.encode(value, forKey: .value)
        }
    }
}
