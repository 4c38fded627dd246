internal import Foundation

/// A dictionary whose keys are the document's own and not a model's: no strategy changes them.
protocol StringKeyed {
    associatedtype Member: Decodable
    init(members: [String: Member])
}

extension Dictionary: StringKeyed where Key == String, Value: Decodable {
    init(members: [String: Value]) { self = members }
}

extension Value {
    /// The object as a dictionary with its own keys.
    func verbatim<Dictionary: StringKeyed, Model>(_ type: Dictionary.Type, as model: Model.Type) throws -> Model {
        let tape = document.tape
        guard content.kind == .object else { throw mismatch([String: Any].self) }
        tape.insert(.verbatim, at: token)
        var elements: [String: Dictionary.Member] = [:]
        elements.reserveCapacity(Int(content.count))
        let end = content.length
        var key = token &+ 2
        while key < end {
            let value = Value(document: document, token: key &+ 1, parent: token, ordinal: key)
            let element = try value.model(Dictionary.Member.self)
            let name = document.string(tape[key])
            // Of a key that is there twice, the first counts.
            if elements[name] == nil { elements[name] = element }
            key = tape.next(after: key &+ 1)
        }
        return same(Dictionary(members: elements), as: model)
    }
}
