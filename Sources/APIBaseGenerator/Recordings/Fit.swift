import Foundation

/// Whether a value of JSON is one of a generated type, and where it is not.
struct Fit {
    struct Misfit: Hashable {
        /// A JSON pointer in the value.
        let pointer: String
        let reason: String
        /// Whether it is a member that the document does not name, which is dropped: the rest is decoded.
        var isExtra = false
    }

    private(set) var misfits: [Misfit] = []

    init(_ json: JSON, _ type: SwiftType) { check(json, type, "#") }

    /// Those with which decoding fails.
    var failures: [Misfit] { misfits.filter { !$0.isExtra } }

    private mutating func check(_ json: JSON, _ type: SwiftType, _ pointer: String) {
        switch (type, json) {
        case (.json, _), (.void, _), (.file, _), (.parts, _), (.optional, .null), (.bool, .bool), (.string, .string): break
        case (.int, .number), (.int64, .number), (.uint64, .number):
            if json.integer == nil && type != .uint64 { miss(json, type, pointer) }
        case (.double, .number): break
        case (.date, .string(let text)): if !text.isInternetDate { miss(json, type, pointer) }
        case (.data, .string(let text)): if Data(base64Encoded: text) == nil { miss(json, type, pointer) }
        case (.optional(let value), _): check(json, value, pointer)
        case (.array(let element), .array(let elements)):
            for (index, value) in elements.enumerated() { check(value, element, "\(pointer)/\(index)") }
        case (.dictionary(let value), .object):
            for member in json.pairs { check(member.value, value, "\(pointer)/\(member.name.escapedForPointer)") }
        case (.declared(let declaration), _): check(json, declaration, pointer)
        default: miss(json, type, pointer)
        }
    }

    private mutating func check(_ json: JSON, _ declaration: Declaration, _ pointer: String) {
        switch declaration.kind {
        case .enumeration(let enumeration): check(json, enumeration.raw, pointer)
        case .union(let union): check(json, union, declaration, pointer)
        case .structure(let structure):
            guard let members = json.object else { return miss(json, .declared(declaration), pointer) }
            for property in structure.properties {
                let place = "\(pointer)/\(property.key.escapedForPointer)"
                switch members[property.key] {
                case .none where property.isRequired && !property.isNullable:
                    misfits.append(Misfit(pointer: place, reason: "missing, expected \(property.type.text)"))
                case .none: break
                case .some(.null) where property.isOptional: break
                case .some(let value): check(value, property.type, place)
                }
            }
            let known = Set(structure.properties.map(\.key))
            for member in json.pairs where !known.contains(member.name) {
                let place = "\(pointer)/\(member.name.escapedForPointer)"
                if let additional = structure.additional {
                    check(member.value, additional, place)
                } else {
                    misfits.append(Misfit(pointer: place, reason: "not in the document", isExtra: true))
                }
            }
        }
    }

    private mutating func check(_ json: JSON, _ union: Union, _ declaration: Declaration, _ pointer: String) {
        if let key = union.discriminator {
            let tag = json[key]
            guard let element = union.cases.first(where: { $0.tags.contains { $0 == tag } }) else { return }
            return check(json, element.type, pointer)
        }
        let fits = union.cases.map { Fit(json, $0.type) }
        if !fits.contains(where: \.failures.isEmpty) { miss(json, .declared(declaration), pointer) }
    }

    private mutating func miss(_ json: JSON, _ type: SwiftType, _ pointer: String) {
        misfits.append(Misfit(pointer: pointer, reason: "\(json.kindName), expected \(type.text)"))
    }
}

extension JSON {
    fileprivate var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: integer == nil ? "a number" : "an integer"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
