internal import Foundation

extension Value {
    /// The value as any type: the types that JSON has its own ways for, and all others by their own initialisers.
    func model<Model: Decodable>(_ type: Model.Type) throws -> Model {
        if type == Date.self { return same(try date(), as: type) }
        if type == URL.self { return same(try url(), as: type) }
        if type == Data.self { return same(try data(), as: type) }
        if type == Decimal.self { return same(try decimal(), as: type) }
        if type == String.self { return same(try string(), as: type) }
        if type == Int.self { return same(try int(), as: type) }
        if type == Double.self { return same(try double(), as: type) }
        if content.kind == .array {
            if type == [Double].self { return same(try array { try $0.double() }, as: type) }
            if type == [Int].self { return same(try array { try $0.int() }, as: type) }
            if type == [String].self { return same(try array { try $0.string() }, as: type) }
        }
        if content.kind == .object {
            if type == [String: Int].self { return same(try dictionary { try $0.int() }, as: type) }
            if type == [String: Double].self { return same(try dictionary { try $0.double() }, as: type) }
            if type == [String: String].self { return same(try dictionary { try $0.string() }, as: type) }
        }
        if !document.keepsKeys, content.kind == .object || content.kind == .null,
            let dictionary = type as? any StringKeyed.Type
        {
            return try verbatim(dictionary, as: type)
        }
        return try Model(from: self)
    }

    /// The elements of the array, without a container between.
    private func array<Element>(_ element: (Value) throws -> Element) rethrows -> [Element] {
        let tape = document.tape
        let count = tape[token].count
        var elements: [Element] = []
        elements.reserveCapacity(Int(count))
        var next = token &+ 2
        var index: UInt32 = 0
        while index < count {
            elements.append(
                try element(Value(document: document, token: next, parent: token, ordinal: index))
            )
            next = tape.next(after: next)
            index &+= 1
        }
        return elements
    }
}

/// The value, whose type is known to be that one.
@inline(__always) func same<Value, Model>(_ value: Value, as type: Model.Type) -> Model {
    precondition(Value.self == Model.self, "of another type")
    // A cast would look for a conversion first, which costs more than most values.
    return unsafeBitCast(value, to: type)
}
