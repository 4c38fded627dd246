/// A type that the generated code declares.
final class Declaration {
    enum Kind {
        case structure(Structure)
        case enumeration(Enumeration)
        case union(Union)
    }

    let name: String
    /// The place of its schema.
    let pointer: String
    /// The types nested in it.
    let scope: Scope
    var documentation: String?
    var kind: Kind
    /// Whether the API sends it for failures.
    var isError = false

    init(_ name: String, in scope: Scope, pointer: String, documentation: String?, kind: Kind) {
        self.name = name
        self.pointer = pointer
        self.documentation = documentation
        self.kind = kind
        self.scope = Scope(path: scope.path + [name])
    }

    var qualifiedName: String { scope.path.joined(separator: ".") }

    var structure: Structure? { if case .structure(let structure) = kind { structure } else { nil } }
    var enumeration: Enumeration? { if case .enumeration(let enumeration) = kind { enumeration } else { nil } }
    var union: Union? { if case .union(let union) = kind { union } else { nil } }
}

extension Declaration: Hashable {
    static func == (left: Declaration, right: Declaration) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A type, or a leaf, with the types nested in it.
final class Scope {
    let path: [String]
    var declarations: [Declaration] = []
    var names = NameTable()

    init(path: [String]) { self.path = path }
}

/// A struct.
struct Structure {
    struct Property {
        /// The name in JSON.
        let key: String
        let name: String
        /// The type without the question mark of a property that may be missing or null.
        let type: SwiftType
        let isRequired: Bool
        let isNullable: Bool
        var documentation: String?
        /// Whether the value would contain itself otherwise.
        var isBoxed = false

        var isOptional: Bool { !isRequired || isNullable }
    }

    var properties: [Property] = []
    /// The type of the members that the document does not name; `nil` if they are dropped.
    var additional: SwiftType?
    /// The name of the property with them.
    var additionalName = "additionalProperties"
}

/// A raw value with names for those that the document knows.
struct Enumeration {
    struct Constant {
        let name: String
        /// A text, or an integer.
        let value: JSON
    }

    /// `.string` or `.int`.
    let raw: SwiftType
    var constants: [Constant]
    /// Whether the schema has `const`: mostly, the value tells the type of its object.
    var isConst = false
}

/// A value of one of several types.
struct Union {
    struct Case {
        let name: String
        let type: SwiftType
        /// The values of the discriminator that stand for this type.
        var tags: [JSON] = []
        /// Members of which one has to be there; empty if any object will do.
        var marks: [String] = []
    }

    /// The member of JSON that tells the cases apart; without one, the first that fits.
    var discriminator: String?
    var cases: [Case] = []
    /// Whether a value would contain itself otherwise.
    var isIndirect = false
}
