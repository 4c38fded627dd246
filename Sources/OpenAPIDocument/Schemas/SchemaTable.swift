/// The schemas of a document that have been compiled. A schema's number is its index.
struct SchemaTable: Sendable {
    /// The first accepts everything.
    private(set) var schemas = [CompiledSchema(pointer: "")]
    /// Whether one of them has `unevaluatedItems` or `unevaluatedProperties`.
    var hasUnevaluated = false
    let dialect: Dialect
    var references: References
    /// The parts of the schemas so far that cannot be compared.
    var warnings: [Warning] = []
    /// The outlines of schemas by their pointers.
    var outlines: [String: SchemaOutline] = [:]
    /// The named schemas by the pointers of their parts; `nil` before the first use.
    var namedExtensions: [String: [(name: String, schema: Node)]]?
    private var numbers: [String: Int] = [:]
    private var open: [(number: Int, node: Node)] = []
    private var patterns: [String: Pattern?] = [:]
    /// The bytes of all pointers, which grow with the square of the depth of the document.
    private var size = 0
    /// The number of bytes of pointers that may still be followed to the parts of schemas.
    private var effort = 20 << 20

    init(_ root: Node, dialect: Dialect) {
        self.dialect = dialect
        references = References(root: root, dialect: dialect)
    }

    /// The number of a schema. It and all that it refers to are compiled.
    mutating func number(ofCompiled node: Node) -> Int {
        let number = number(of: node)
        // A list and no recursion: schemas may be deep in one another.
        while let (number, node) = open.popLast() { schemas[number] = compiled(node) }
        return number
    }

    /// The number of a schema, which is compiled later.
    mutating func number(of node: Node) -> Int {
        if let known = numbers[node.pointer] { return known }
        guard node.json == .bool(false) || node.json.object?.names.isEmpty == false, size < 64 << 20 else { return 0 }
        size += node.pointer.utf8.count
        numbers[node.pointer] = schemas.count
        open.append((schemas.count, node))
        schemas.append(CompiledSchema(pointer: node.pointer))
        return schemas.count - 1
    }

    /// The number of the schema that a reference leads to; if there is none, of one that says so of each value.
    mutating func number(of reference: String, from node: Node) -> Int {
        if let target = references.target(of: reference, from: node.pointer) { return number(of: target) }
        schemas.append(CompiledSchema(pointer: node.pointer, checks: [.lost(reference)]))
        return schemas.count - 1
    }

    /// The numbers of the schemas in an array.
    mutating func numbers(of nodes: [Node]) -> [Int] { nodes.map { number(of: $0) } }

    /// A pattern; `nil` with a warning if it cannot be read.
    mutating func pattern(_ source: String, _ node: Node) -> Pattern? {
        if let known = patterns[source] { return known }
        let pattern = Pattern(source)
        if pattern == nil {
            warnings.append(Warning(pointer: node.pointer, text: "the pattern \(source.shortened()) cannot be read"))
        }
        patterns[source] = .some(pattern)
        return pattern
    }

    // MARK: Parts

    /// A schema, what it refers to, and the parts of `allOf` of these: at most 200. Of a schema with variants, also
    /// these.
    mutating func parts(of node: Node, withVariants: Bool = false) -> [Node] {
        var parts = [node]
        var seen: Set<String> = [node.pointer]
        var next = 0
        while next < parts.count, parts.count < 200, effort > 0 {
            let part = parts[next]
            next += 1
            var others = ["allOf"] + (withVariants ? ["anyOf", "oneOf"] : [])
            others = others.filter { part.json[$0] != nil }
            var found = others.flatMap { part[$0]?.elements ?? [] }
            if let reference = part.text("$ref") {
                found += [references.target(of: reference, from: part.pointer)].compactMap(\.self)
            }
            effort -= part.pointer.utf8.count * found.count
            parts += found.filter { seen.insert($0.pointer).inserted }
        }
        return parts
    }
}
