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
        guard content.kind == .object else { throw mismatch([String: Any].self) }
        return same(Dictionary(members: try dictionary { try $0.model(Dictionary.Member.self) }), as: model)
    }

    /// The members of the object by their own keys, without a container between. Of a key that is there twice, the first counts.
    func dictionary<Member>(_ member: (Value) throws -> Member) rethrows -> [String: Member] {
        let tape = document.tape
        tape.insert(.verbatim, at: token)
        var members: [String: Member] = [:]
        members.reserveCapacity(Int(content.count))
        let end = content.length
        var key = token &+ 2
        while key < end {
            let name = document.string(tape[key])
            let isFirst = members[name] == nil
            // Foundation reads the others as well if a strategy changes keys, and fails if they are wrong.
            if isFirst || !document.keepsKeys {
                let value = try member(Value(document: document, token: key &+ 1, parent: token, ordinal: key))
                if isFirst { members[name] = value }
            }
            key = tape.next(after: key &+ 1)
        }
        return members
    }
}
