/// Descriptions of places and values in JSON, for errors. They never contain values.
enum JSONDescription {
    /// The path as in code: `items[3].title`.
    static func text(of path: [any CodingKey], naming name: (any CodingKey) -> String = { $0.stringValue }) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? name(key) : ".\(name(key))"
            }
        }
    }

    /// The value at a path, or nil. A key that a decoder has converted from snake case is found too.
    static func value(at path: [any CodingKey], in json: Any) -> Any? {
        path.reduce(json) { value, key in
            if let index = key.intValue, let array = value as? [Any] {
                return array.indices.contains(index) ? array[index] : nil
            }
            guard let object = value as? [String: Any] else { return nil }
            return object[key.stringValue]
                ?? object.keys.sorted().first { $0.isSnakeCase(of: key.stringValue) }.flatMap { object[$0] }
        }
    }

    /// The kind of a value.
    static func kind(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is String: "a string"
        case is [Any]: "an array"
        case is [String: Any]: "an object"
        // A Boolean has the type of one byte, which a number in JSON never has.
        case let number as NSNumber:
            "cB".utf8.contains(UInt8(bitPattern: number.objCType.pointee)) ? "a Boolean" : "a number"
        default: "something else"
        }
    }

    /// The name of a type.
    static func name(of type: any Any.Type) -> String {
        switch type {
        case is [Any].Type: "an array"
        case is [String: Any].Type: "an object"
        default: String(describing: type)
        }
    }
}

extension String {
    /// True if this is the same name in snake case.
    fileprivate func isSnakeCase(of name: String) -> Bool {
        filter { $0 != "_" }.lowercased() == name.lowercased()
    }
}
