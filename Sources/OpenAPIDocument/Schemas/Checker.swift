/// One check of a value.
struct Checker {
    struct Settings: Sendable {
        let reportsUnknown: Bool
        /// Whether exactly one schema of `oneOf` has to fit.
        let isStrict: Bool
        /// Whether a schema asks for what others have evaluated.
        let logsAll: Bool
        let direction: Direction?
        let isText: Bool
    }

    /// What schemas have said of a place in the value. The entries of variants that do not fit are taken back.
    enum Entry {
        /// The member has a schema of its own.
        case named(Int)
        /// The member or element has been checked otherwise.
        case evaluated(Int)
        /// The object has members with names in a schema.
        case described(Int, schema: Int)
        /// The object may have other members.
        case open(Int)
    }

    /// The end of a check before all is done; a misfit ends a question whether a schema fits.
    enum Stop { case budget, depth, misfit }

    let schemas: [CompiledSchema]
    var tree: ValueTree
    let settings: Settings
    var misfits: [Misfit] = []
    var log: [Entry] = []
    /// Why the check has ended early.
    var stop: Stop?
    /// Whether it is only asked if a schema fits, and not what does not.
    private(set) var isProbing = false
    /// Whether variants are compared, to find the nearest.
    var isRanking = false
    /// The rest of the steps that may be taken.
    var steps: Int
    /// The place to which each schema is being applied.
    private var active: [Int]
    private var depth: Int

    init(_ schemas: [CompiledSchema], _ tree: ValueTree, _ settings: Settings, depthLimit: Int) {
        (self.schemas, self.tree, self.settings, depth) = (schemas, tree, settings, depthLimit)
        let count = tree.values.count
        steps = min(200_000 + 1_000 * count, 10_000_000 + 50 * count)
        active = Array(repeating: -1, count: schemas.count)
    }

    /// All findings; `nil` if the stack is too small for them.
    mutating func findings(schema: Int) -> [SchemaFinding]? {
        apply(schema, at: 0)
        if stop == .depth { return nil }
        let found = misfits.prefix(1_000).map { $0.finding(in: tree, schema: schemas[$0.schema].pointer) }
        let others =
            stop == .budget ? [.ended("takes too long to check", schemas[schema].pointer)] : unknownMembers()
        return Array((found + others).unique().prefix(1_000))
    }

    /// Applies a schema to the value at a place.
    mutating func apply(_ schema: Int, at place: Int) {
        spend(1)
        let compiled = schemas[schema]
        // A schema that is part of itself says nothing new of the same value.
        guard stop == nil, !compiled.checks.isEmpty, active[schema] != place else { return }
        guard depth > 0 else { return stop = .depth }
        let outer = active[schema]
        active[schema] = place
        depth -= 1
        defer {
            active[schema] = outer
            depth += 1
        }
        if compiled.acceptsNull, tree.values[place].isOne(of: .null, isText: settings.isText) { return }
        let logStart = log.count
        for check in compiled.checks where stop == nil {
            guard perform(check, of: schema, at: place, logStart) else { return }
        }
    }

    mutating func spend(_ count: Int) {
        steps -= count
        if steps < 0, stop == nil { stop = .budget }
    }

    /// Whether a schema fits. If not, nothing is left of what it has logged.
    mutating func fits(_ schema: Int, at place: Int) -> Bool {
        let (outer, logged) = (isProbing, log.count)
        isProbing = true
        apply(schema, at: place)
        isProbing = outer
        guard stop == .misfit else { return true }
        stop = nil
        log.removeLast(log.count - logged)
        return false
    }

    mutating func add(_ reason: Misfit.Reason, _ keyword: String, of schema: Int, at place: Int) {
        if isProbing { return stop = stop ?? .misfit }
        spend(20)
        misfits.append(Misfit(place: place, schema: schema, keyword: keyword, reason: reason))
    }

    /// Returns whether the checks after it have a meaning.
    private mutating func perform(_ check: Check, of schema: Int, at place: Int, _ logStart: Int) -> Bool {
        switch check {
        case .nothing: add(.other("is not allowed"), "", of: schema, at: place)
        case .lost(let reference):
            // What it leads to may name any members. Of schemas by themselves, some lie elsewhere on purpose.
            log.append(.open(place))
            guard settings.reportsUnknown else { return true }
            let reason = "cannot be compared, since the document has no “\(reference.shortened())”"
            add(.other(reason), "$ref", of: schema, at: place)
        case .types(let types):
            if tree.values[place].isOne(of: types, isText: settings.isText) { return true }
            add(.type(types), "type", of: schema, at: place)
            return false
        case .reference(let target): apply(target, at: place)
        case .all(let parts): for part in parts { apply(part, at: place) }
        case .variants(let variants): apply(variants, of: schema, at: place)
        case .not(let excluded):
            let logged = log.count
            if fits(excluded, at: place), stop == nil {
                log.removeLast(log.count - logged)
                add(.other("fits a schema that it must not fit"), "not", of: schema, at: place)
            }
        case .condition(let condition, let then, let otherwise):
            if let next = fits(condition, at: place) ? then : otherwise { apply(next, at: place) }
        case .constants, .number, .characters, .pattern, .format: checkScalar(check, of: schema, at: place)
        case .elements, .uniqueItems, .items, .contains, .unevaluatedItems:
            if case .array(let elements) = tree.values[place] {
                checkArray(elements, check, of: schema, at: place, logStart)
            }
        case .members, .required, .dependentRequired, .properties, .propertyNames, .dependentSchemas,
            .unevaluatedProperties:
            if case .object(let members) = tree.values[place] {
                checkObject(members, check, of: schema, at: place, logStart)
            }
        }
        return true
    }
}
