import OpenAPIDocument

/// Reads schemas: what type each of them is, and the declarations of those that need one.
final class SchemaReader {
    /// The Swift type of a schema. The user of the schema says whether it may be null.
    struct Reading {
        var type: SwiftType
        var isNullable = false
    }

    /// Where a schema is used: what its type would be called, and in which type it would be nested.
    struct Place {
        let name: String
        let scope: Scope

        /// The place of an element of an array, or of a value of a dictionary.
        var element: Place { Place(name: Identifier.singular(name), scope: scope) }
    }

    /// Types deeper in one another than this become `JSONValue`: the time of the compiler doubles with each more.
    static let depthLimit = 12

    /// References that lead to others, by which a schema is still read: more would end the stack.
    static let referenceLimit = 500

    let document: Document
    /// The declarations that are not nested, in the order in which they were needed.
    let root = Scope(path: [])
    private var typeNames: TypeNames
    private var readings: [String: Reading] = [:]
    /// The places of what is being read.
    private var unfinished: Set<String> = []
    /// Names of schemas that are being read, until a declaration takes them.
    private var unused: Set<String>
    /// The declarations that have a name already, and remain to be read: so that circles end.
    private var remaining: [() -> Void] = []
    /// The number of types, members and choices.
    private var count = 0

    /// The variants of schemas with a discriminator, without their kinds.
    var besideKinds: [String: [Node]] = [:]

    private let shared: SharedShapes
    private let directions: Directions
    /// The declarations that are not nested, by their shapes.
    private var shapes: [JSON: Declaration] = [:]

    init(_ document: Document, _ outlines: [OperationOutline], names: TypeNames) {
        self.document = document
        directions = Directions(document, outlines)
        var names = names
        var reserved: Set<String> = []
        shared = SharedShapes(document, outlines, directions) { wanted, other in
            let name = names.take(wanted, orElse: other)
            reserved.insert(name)
            return name
        }
        (typeNames, unused) = (names, reserved)
    }

    func warn(_ node: Node, _ text: String) { document.warnings.add(node.pointer, text) }

    func warnOfDepth(_ node: Node) { warn(node, "nested more than \(Self.depthLimit) deep, so it can be any JSON") }

    /// Reads what remains of all declarations.
    ///
    /// - Throws: ``Refusal/tooManyTypes(_:)``
    func finish() throws(Refusal) {
        while !remaining.isEmpty, !isTooLarge {
            let steps = remaining
            remaining = []
            for step in steps { step() }
        }
        if isTooLarge { throw .tooManyTypes(document.name) }
    }

    /// Whether a member that is required may be missing all the same: a server gives it, and no request has it, or a
    /// request has it, and no response.
    func isOneWay(_ member: Node, in declaration: Declaration) -> Bool {
        let target = document.resolved(member) ?? member
        let way = way(of: declaration)
        return (member.flag("readOnly") || target.flag("readOnly")) && way.contains(.sent)
            || (member.flag("writeOnly") || target.flag("writeOnly")) && way.contains(.received)
    }

    /// The ways that values of a type go.
    func way(of declaration: Declaration) -> Directions.Way {
        let pointer = declaration.node.pointer
        let own = shared.way(of: declaration.shape) ?? directions.way(of: pointer)
        return own.union(shared.way(ofEqualsOf: pointer))
    }

    // MARK: Size

    /// Counts what is declared: a short document may give more than there is memory for, if its schemas have one
    /// another as parts.
    func count(_ number: Int) { count += number }

    /// Whether there are many times more types, members and choices than a document of this size has schemas.
    var isTooLarge: Bool { count > 3_000 + document.size / 10 }

    // MARK: References

    /// Reads the schema that a reference names, once.
    func reference(_ target: Node) -> Reading {
        if let reading = readings[target.pointer] { return reading }
        return once(target) {
            let name = typeNames.name(of: target.pointer)
            unused.insert(name)
            let reading = read(target, at: Place(name: name, scope: root))
            readings[target.pointer] = reading
            return reading
        }
    }

    /// Reads a schema that may lead back to itself without a type of its own.
    func once(_ node: Node, _ read: () -> Reading) -> Reading {
        guard unfinished.insert(node.pointer).inserted else {
            warn(node, "the schema is nothing but itself, so it can be any JSON")
            return Reading(type: .json)
        }
        defer { unfinished.remove(node.pointer) }
        guard unfinished.count < Self.referenceLimit else {
            warn(node, "more than \(Self.referenceLimit) references lead here, one after the other")
            return Reading(type: .json)
        }
        return read()
    }

    /// Takes a name for a type that is read later, or never.
    func reserve(_ name: String) -> String {
        let name = typeNames.take(name)
        unused.insert(name)
        return name
    }

    // MARK: Declarations

    /// Declares a type, of which the rest is read later. Of a shape, there is one type.
    func declare(
        _ node: Node,
        at place: Place,
        _ kind: Declaration.Kind,
        later: ((Declaration) -> Void)? = nil
    ) -> SwiftType {
        let shape = SharedShapes.shape(of: node.json, named: place.name)
        var place = place
        if !place.scope.path.isEmpty {
            switch shared.home(of: shape) {
            case .schema(let pointer):
                if let target = document.target(of: pointer, at: node.pointer) { return reference(target).type }
            case .root(let name): place = Place(name: name, scope: root)
            case .owner where place.scope.declaration(of: shape) == nil:
                let outer = place.scope.outermost
                if !outer.path.isEmpty, !place.scope.hides(place.name, of: outer) {
                    let type = declare(node, shape, at: Place(name: place.name, scope: outer), kind, later: later)
                    if let declared = type.declaration { place.scope.use(declared) }
                    return type
                }
            case .owner, nil: break
            }
        }
        return declare(node, shape, at: place, kind, later: later)
    }

    private func declare(
        _ node: Node,
        _ shape: JSON,
        at place: Place,
        _ kind: Declaration.Kind,
        later: ((Declaration) -> Void)?
    ) -> SwiftType {
        let isNested = !place.scope.path.isEmpty
        if isNested, let known = place.scope.declaration(of: shape) {
            place.scope.use(known)
            return .declared(known)
        }
        // A named schema has a type of its own.
        let isNamed = unfinished.contains(node.pointer)
        if !isNested, !isNamed, let known = shapes[shape] { return .declared(known) }
        count(1)
        if isTooLarge { return .json }
        guard place.scope.path.count < Self.depthLimit else {
            warnOfDepth(node)
            return .json
        }
        let name =
            isNested
            ? typeNames.takeNested(place.name, in: place.scope)
            : unused.remove(place.name) ?? typeNames.take(place.name)
        let declaration = Declaration(name, in: place.scope, node, shape, kind)
        place.scope.add(declaration)
        if !isNested, shapes[shape] == nil { shapes[shape] = declaration }
        if !isNested, readings[node.pointer] == nil {
            readings[node.pointer] = Reading(type: .declared(declaration), isNullable: node.isNullable)
        }
        if let later { remaining.append { later(declaration) } }
        return .declared(declaration)
    }
}
