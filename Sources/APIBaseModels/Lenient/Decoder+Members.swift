/// For types that find out from a value what it is, as generated code does.
extension Decoder {
    /// The value of a member of an object, or of one of an object in it; `nil` if this is no object, or if the member is
    /// missing or has another type.
    ///
    /// ```swift
    /// switch decoder.member("kind", as: String.self) {
    /// case "cat": self = .cat(try Cat(from: decoder))
    /// default: self = .other(try JSONValue(from: decoder))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - inner: The names of the members in it that lead to the value: `"definition", "type"`.
    ///   - type: The type of the value.
    /// - Returns: The value, or `nil`.
    public func member<Value: Decodable>(_ name: String, _ inner: String..., as type: Value.Type) -> Value? {
        let path = ([name] + inner).map(MemberName.init)
        var container = try? container(keyedBy: MemberName.self)
        for key in path.dropLast() {
            container = try? container?.nestedContainer(keyedBy: MemberName.self, forKey: key)
        }
        return try? container?.decode(type, forKey: path[path.count - 1])
    }

    /// The members of an object, without those that have names of their own in a type.
    ///
    /// - Throws: `DecodingError` if this is no object, if one of the members has another type, or with a
    ///   ``JSONValue/IndistinctName`` if its name differs from another one, or one of those in the type, in its code points
    ///   only. `JSONDecoder`, where ``JSONAPI/usesStrictJSON`` is false, takes one of two such members instead.
    public func members<Value: Decodable>(
        of type: Value.Type = Value.self,
        except names: [String]
    ) throws -> [String: Value] {
        let container = try container(keyedBy: MemberName.self)
        try checkNames()
        let known = Set(names)
        var others: [String: Value] = [:]
        for key in container.allKeys {
            let name = key.stringValue
            if let index = known.firstIndex(of: name) {
                guard known[index].utf8.elementsEqual(name.utf8) else { throw indistinct(name) }
            } else {
                others[name] = try container.decode(type, forKey: key)
            }
        }
        return others
    }

    /// The value as a type, if it is one.
    ///
    /// While it is decoded, each value within it is decoded as a type once, however many choices are in one another.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - names: The names of members of which an object must have one: for a type that requires none, and which any
    ///     object would fit.
    ///   - required: The names of members that an object must have. Without one of them, nothing is decoded.
    /// - Returns: `nil` if it cannot be decoded as this type.
    public func fitting<Value: Decodable>(
        _ type: Value.Type,
        withAnyOf names: [String] = [],
        withAllOf required: [String] = []
    ) -> Value? {
        if !names.isEmpty || !required.isEmpty {
            guard let container = try? container(keyedBy: MemberName.self) else { return nil }
            func has(_ name: String) -> Bool { container.contains(MemberName(name)) }
            guard names.isEmpty || names.contains(where: has), required.allSatisfy(has) else { return nil }
        }
        return Trials.value(type, of: self)
    }
}

/// The name of any member.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
