import OpenAPIDocument

/// A type that the generated code declares.
final class Declaration {
    enum Kind {
        case structure(Structure)
        case enumeration(Enumeration)
        case union(Union)
    }

    let name: String
    /// Its schema.
    let node: Node
    /// The shape of its schema: ``SharedShapes/shape(of:named:)``.
    let shape: JSON
    /// The types nested in it.
    let scope: Scope
    var documentation: String?
    var kind: Kind
    /// Whether the API sends it for failures.
    var isError = false
    /// The keys of the nullable members that lead to a next page. Swift isolates them as it does the structure.
    var pageKeys: Set<String> = []
    /// Whether it is a choice that a parameter has.
    var isQueryValue = false

    init(_ name: String, in scope: Scope, _ node: Node, _ shape: JSON, _ kind: Kind) {
        self.name = name
        (self.node, self.shape) = (node, shape)
        documentation = node.documentation
        self.kind = kind
        self.scope = Scope(path: scope.path + [name], parent: scope)
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
    private(set) var declarations: [Declaration] = []
    var names = NameTable()
    private weak var parent: Scope?
    /// The declarations by their shapes, also those of outer types that are used here.
    private var shapes: [JSON: Declaration] = [:]

    init(path: [String], parent: Scope? = nil) { (self.path, self.parent) = (path, parent) }

    func add(_ declaration: Declaration) {
        declarations.append(declaration)
        if shapes[declaration.shape] == nil { shapes[declaration.shape] = declaration }
    }

    /// Whether this or a type around it, up to an outer one, has a type of this name, which would hide one of that.
    func hides(_ name: String, of outer: Scope) -> Bool {
        self !== outer && (names.contains(name) || parent?.hides(name, of: outer) == true)
    }

    /// The leaf, or the type that is not nested, around this.
    var outermost: Scope { parent.map { $0.path.isEmpty ? self : $0.outermost } ?? self }

    /// The type of a shape that is declared here or in a type around this, unless another type hides its name.
    func declaration(of shape: JSON) -> Declaration? {
        if let known = shapes[shape] { return known }
        guard let parent, !parent.path.isEmpty, let outer = parent.declaration(of: shape), !names.contains(outer.name)
        else { return nil }
        return outer
    }

    /// Keeps the name of an outer type, which is used here, from types that would hide it later.
    func use(_ outer: Declaration) {
        guard outer.scope.parent !== self, shapes[outer.shape] !== outer else { return }
        _ = names.take(outer.name)
        shapes[outer.shape] = outer
        parent?.use(outer)
    }
}

/// A struct.
struct Structure {
    struct Property {
        /// The name in JSON.
        let key: String
        let name: String
        /// The type without the question mark of a property that may be missing or null.
        let type: SwiftType
        var isRequired: Bool
        var isNullable: Bool
        var documentation: String?
        /// The format that its schema names.
        var format: String?
        /// Whether the value would contain itself otherwise.
        var isBoxed = false

        var isOptional: Bool { !isRequired || isNullable }
        var escapedName: String { Identifier.escaped(name) }
        /// The name by which a leaf reads a nullable member that leads to a next page.
        var nameInPages: String { "\(name)InPages" }
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
    /// Whether the schema says that there are other values.
    var isOpen = false
}

/// A value of one of several types.
struct Union {
    struct Case {
        let name: String
        let type: SwiftType
        /// The values of the discriminator that stand for this type.
        var tags: [JSON] = []
        /// Members of which one has to be there, for an object that requires none; empty if any object will do.
        var marks: [String] = []
        /// Some of the members that have to be there.
        var required: [String] = []
    }

    /// The path to the member of JSON that tells the cases apart; without one, the first that fits.
    var discriminator: [String]?
    var cases: [Case] = []
    /// Whether a value would contain itself otherwise.
    var isIndirect = false
}
