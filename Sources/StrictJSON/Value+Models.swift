internal import Foundation

extension Value {
    /// The value as any type: some types are read directly, all others by their initializers.
    func model<Model: Decodable>(_ type: Model.Type) throws -> Model {
        if type == Date.self { return same(try date(), as: type) }
        if type == URL.self { return same(try url(), as: type) }
        if type == Data.self { return same(try data(), as: type) }
        if type == Decimal.self { return same(try decimal(), as: type) }
        if type == String.self { return same(try String.read(self), as: type) }
        if type == Int.self { return same(try Int.read(self), as: type) }
        if type == Double.self { return same(try Double.read(self), as: type) }
        if content.kind == .array {
            if type == [Double].self { return same(try array { try Double.read($0) }, as: type) }
            if type == [Int].self { return same(try array { try Int.read($0) }, as: type) }
            if type == [String].self { return same(try array { try String.read($0) }, as: type) }
        }
        if content.kind == .object {
            if type == [String: Int].self { return same(try dictionary { try Int.read($0) }, as: type) }
            if type == [String: Double].self { return same(try dictionary { try Double.read($0) }, as: type) }
            if type == [String: String].self { return same(try dictionary { try String.read($0) }, as: type) }
        }
        if !document.settings.keepsKeys, content.kind == .object || content.kind == .null,
            let dictionary = type as? any StringKeyed.Type
        {
            return same(try dictionary.read(self), as: type)
        }
        return try Model(from: self)
    }

    /// The elements of the array, read without a container.
    private func array<Element>(_ element: (Value) throws -> Element) throws -> [Element] {
        let tape = document.tape
        let count = tape[token].count
        var elements: [Element] = []
        elements.reserveCapacity(Int(count))
        var next = token &+ 2
        var index: UInt32 = 0
        while index < count {
            if index & 63 == 63 { try document.step() }
            elements.append(try element(Value(document: document, token: next, parent: token, ordinal: index)))
            next = tape.next(after: next)
            index &+= 1
        }
        return elements
    }

    /// The members of the object by the document's keys, read without a container. If a key occurs twice, the first
    /// counts.
    fileprivate func dictionary<Member>(_ member: (Value) throws -> Member) throws -> [String: Member] {
        let tape = document.tape
        tape[token].flags.insert(.verbatim)
        var members: [String: Member] = [:]
        members.reserveCapacity(Int(content.count))
        var keys = tape.keys(of: token)
        while let key = keys.next() {
            try document.step()
            let name = document.bytes.string(tape[key])
            let isFirst = members[name] == nil
            // If a strategy changes keys, Foundation reads the others as well, and fails if they are wrong.
            if isFirst || !document.settings.keepsKeys {
                let value = try member(Value(document: document, token: key &+ 1, parent: token, ordinal: key))
                if isFirst { members[name] = value }
            }
        }
        return members
    }
}

/// A dictionary with the document's keys, which no strategy changes.
private protocol StringKeyed {
    static func read(_ value: Value) throws -> Self
}

extension Dictionary: StringKeyed where Key == String, Value: Decodable {
    fileprivate static func read(_ value: StrictJSON.Value) throws -> Self {
        guard value.content.kind == .object else { throw value.mismatch([String: Any].self) }
        return try value.dictionary { try $0.model(Value.self) }
    }
}

/// The value as `type`, which must be its type.
@inline(__always) private func same<Value, Model>(_ value: Value, as type: Model.Type) -> Model {
    precondition(Value.self == Model.self, "of another type")
    // A cast looks for conversions first, which takes longer than reading most values.
    return unsafeBitCast(value, to: type)
}
