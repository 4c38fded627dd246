import OpenAPIDocument

/// A type of generated code.
indirect enum SwiftType: Hashable {
    case string, bool, int, int64, uint64, double, date, data
    /// `JSONValue`: where nothing is said.
    case json
    case void
    /// `HTTPBody`: the bytes of a body, or of a part of one.
    case file
    /// `[MultipartPart]`: the parts of a form that a document does not name.
    case parts
    case array(SwiftType)
    /// A dictionary with texts as keys.
    case dictionary(SwiftType)
    case optional(SwiftType)
    case declared(Declaration)

    /// The type in a place that sees all types by their own names.
    var text: String { text { $0.name } }

    /// The type in the tests, which see nested types only by all their names.
    var qualifiedText: String { text { $0.qualifiedName } }

    private func text(_ name: (Declaration) -> String) -> String {
        switch self {
        case .string: "String"
        case .bool: "Bool"
        case .int: "Int"
        case .int64: "Int64"
        case .uint64: "UInt64"
        case .double: "Double"
        case .date: "Date"
        case .data: "Data"
        case .json: "JSONValue"
        case .void: "Void"
        case .file: "HTTPBody"
        case .parts: "[MultipartPart]"
        case .array(let element): "[\(element.text(name))]"
        case .dictionary(let value): "[String: \(value.text(name))]"
        case .optional(let value): "\(value.text(name))?"
        case .declared(let declaration): name(declaration)
        }
    }

    /// Whether it is declared in the kit or in Foundation.
    var needsImport: Bool {
        switch self {
        case .date, .data, .json, .file, .parts: true
        case .array(let value), .dictionary(let value), .optional(let value): value.needsImport
        default: false
        }
    }

    /// The declaration that a value of this type contains as a part of itself, not through a pointer.
    var contained: Declaration? {
        switch self {
        case .declared(let declaration): declaration
        case .optional(let value): value.contained
        default: nil
        }
    }

    /// The number of arrays and dictionaries in one another.
    var containers: Int {
        switch self {
        case .array(let value), .dictionary(let value): value.containers + 1
        case .optional(let value): value.containers
        default: 0
        }
    }

    var declaration: Declaration? { if case .declared(let declaration) = self { declaration } else { nil } }

    /// Whether a query, a header or a path can have it: `QueryValue`.
    var isQueryValue: Bool {
        switch self {
        case .string, .bool, .int, .int64, .uint64, .double, .date: true
        case .array(let element): element.isQueryScalar
        default: isQueryScalar
        }
    }

    private var isQueryScalar: Bool {
        switch self {
        case .string, .bool, .int, .int64, .uint64, .double, .date: true
        case .declared(let declaration): declaration.enumeration != nil || declaration.isQueryValue
        default: false
        }
    }
}

extension SwiftType {
    /// Whether a list of objects is somewhere in it: without an index, their members would be mixed in a form.
    var hasListsOfObjects: Bool {
        var seen: [Bool: Set<Declaration>] = [:]
        func search(_ type: SwiftType, inList: Bool) -> Bool {
            switch type {
            case .array(let element): return search(element, inList: true)
            case .dictionary(let value): return inList || search(value, inList: false)
            case .optional(let value): return search(value, inList: inList)
            case .declared(let declaration):
                if inList, declaration.structure != nil { return true }
                guard seen[inList, default: []].insert(declaration).inserted else { return false }
                let members = declaration.structure?.properties.map(\.type) ?? []
                let cases = declaration.union?.cases.map(\.type) ?? []
                return members.contains { search($0, inList: false) } || cases.contains { search($0, inList: inList) }
            default: return false
            }
        }
        return search(self, inList: false)
    }
}
