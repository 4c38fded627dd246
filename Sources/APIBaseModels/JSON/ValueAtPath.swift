internal import StrictJSON

/// The value at a path in a document, read with the settings of any decoder, but for its strategy for keys.
package struct ValueAtPath<Model: Decodable>: Decodable {
    let value: Model

    /// Reads the value at a path: the keys as they stand in the document, and the numbers of elements, from 0. `decode`
    /// decodes the type that it is given.
    package static func decode(at path: [String], by decode: (Self.Type) throws -> Self) rethrows -> Model {
        try PathToValue.$keys.withValue(path[...]) { try decode(self).value }
    }

    package init(from decoder: any Decoder) throws {
        value = try Self.value(at: PathToValue.keys, in: decoder)
    }

    private static func value(at path: ArraySlice<String>, in decoder: any Decoder) throws -> Model {
        if let document = decoder as? any PathInJSON {
            return try document.decoder(at: path).singleValueContainer().decode(Model.self)
        }
        guard let key = path.first else { return try decoder.singleValueContainer().decode(Model.self) }
        if let index = Int(key), index >= 0, var elements = try? decoder.unkeyedContainer() {
            return try element(index, of: &elements, then: path.dropFirst())
        }
        // An error of this container is clearer than one of the dictionary.
        _ = try decoder.container(keyedBy: PathKey.self)
        // A dictionary, since strategies for keys do not change its keys.
        let members = try PathToValue.$keys.withValue(path) {
            try decoder.singleValueContainer().decode([String: Member].self)
        }
        guard let value = members[key]?.value else { throw PathKey(key).notFound(at: decoder.codingPath) }
        return value
    }

    private static func element(
        _ index: Int,
        of elements: inout any UnkeyedDecodingContainer,
        then path: ArraySlice<String>
    ) throws -> Model {
        while elements.currentIndex < index, !elements.isAtEnd { _ = try elements.decode(Skipped.self) }
        guard !elements.isAtEnd else { throw PathKey(index).notFound(at: elements.codingPath) }
        return try PathToValue.$keys.withValue(path) { try elements.decode(Self.self).value }
    }

    /// A member of an object on the path: read if it is the next on the path, skipped otherwise.
    private struct Member: Decodable {
        var value: Model?

        init(from decoder: any Decoder) throws {
            let path = PathToValue.keys
            guard decoder.codingPath.last?.stringValue == path.first else { return }
            value = try ValueAtPath.value(at: path.dropFirst(), in: decoder)
        }
    }
}

/// An element that is not read.
private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
}

/// The rest of the path, for decoders that make the types themselves.
private enum PathToValue {
    @TaskLocal static var keys: ArraySlice<String> = []
}

/// A step of a path.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) { self.init(intValue) }

    func notFound(at path: [any CodingKey]) -> DecodingError {
        let text = "No value associated with key \(stringValue)."
        return .keyNotFound(self, DecodingError.Context(codingPath: path, debugDescription: text))
    }
}
