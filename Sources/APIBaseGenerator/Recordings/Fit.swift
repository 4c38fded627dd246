import Foundation
import OpenAPIDocument

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

    /// Whether a value within a choice is of one of its types, by its pointer. Each is compared once, however many
    /// choices are around it.
    private var trials: [String: [SwiftType: Bool]] = [:]

    init(_ json: JSON, _ type: SwiftType) { check(json, type, "#") }

    /// Those with which decoding fails.
    var failures: [Misfit] { misfits.filter { !$0.isExtra } }

    private mutating func check(_ json: JSON, _ type: SwiftType, _ pointer: String) {
        switch (type, json) {
        case (.json, _), (.void, _), (.file, _), (.parts, _), (.optional, .null), (.bool, .bool), (.string, .string),
            (.double, .number), (.uint64, .number):
            break
        case (.int, .number) where json.integer != nil, (.int64, .number) where json.integer != nil: break
        case (.date, .string(let text)) where text.isInternetDate: break
        case (.data, .string(let text)) where Data(base64Encoded: text) != nil: break
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
        switch (declaration.kind, json) {
        case (.enumeration(let enumeration), _): check(json, enumeration.raw, pointer)
        case (.structure(let structure), .object(let members)): check(members, structure, pointer)
        case (.structure, _): miss(json, .declared(declaration), pointer)
        case (.union(let union), _):
            if let path = union.discriminator {
                let element = union.cases.first { element in element.tags.contains { $0 == json[path] } }
                if let element { check(json, element.type, pointer) }
            } else if !union.cases.contains(where: { fits(json, $0, pointer) }) {
                miss(json, .declared(declaration), pointer)
            }
        }
    }

    private mutating func fits(_ json: JSON, _ element: Union.Case, _ pointer: String) -> Bool {
        guard element.required.allSatisfy({ json[$0] != nil }) else { return false }
        if let known = trials[pointer]?[element.type] { return known }
        let count = misfits.count
        check(json, element.type, pointer)
        let fits = misfits[count...].allSatisfy(\.isExtra)
        misfits.removeSubrange(count...)
        trials[pointer, default: [:]][element.type] = fits
        return fits
    }

    private mutating func check(_ members: JSON.Members, _ structure: Structure, _ pointer: String) {
        for property in structure.properties {
            let place = "\(pointer)/\(property.key.escapedForPointer)"
            let value = members[property.key]
            if property.isOptional, value == nil || value == .null { continue }
            if let value {
                check(value, property.type, place)
            } else {
                misfits.append(Misfit(pointer: place, reason: "missing"))
            }
        }
        let known = Set(structure.properties.map(\.key))
        for member in JSON.object(members).pairs where !known.contains(member.name) {
            let place = "\(pointer)/\(member.name.escapedForPointer)"
            if let additional = structure.additional {
                check(member.value, additional, place)
            } else {
                misfits.append(Misfit(pointer: place, reason: "not in the document", isExtra: true))
            }
        }
    }

    private mutating func miss(_ json: JSON, _ type: SwiftType, _ pointer: String) {
        let kind =
            switch json {
            case .null: "null"
            case .bool: "a Boolean"
            case .number: json.integer == nil ? "a number" : "an integer"
            case .string: "a text"
            case .array: "an array"
            case .object: "an object"
            }
        misfits.append(Misfit(pointer: pointer, reason: "\(kind), expected \(type.text)"))
    }
}
