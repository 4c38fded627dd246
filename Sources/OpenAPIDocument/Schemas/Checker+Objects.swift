extension Checker {
    mutating func checkObject(
        _ members: JSON.Members,
        _ check: Check,
        of schema: Int,
        at place: Int,
        _ logStart: Int
    ) {
        let places = tree.children(of: place)
        switch check {
        case .members(let rule):
            if !rule.fits(members.names.count) {
                add(.size(members.names.count, "member", rule.expected), rule.keyword, of: schema, at: place)
            }
        case .required(let required):
            spend(required.count / 4)
            var next = 0
            for member in required where !isNext(member.name, in: members, &next) && members[member.name] == nil {
                if let direction = settings.direction, direction == member.isOptionalIn { continue }
                add(.missing(member.name), "required", of: schema, at: place)
            }
        case .dependentRequired(let dependent):
            spend(dependent.count / 4)
            for (name, others) in dependent where members[name] != nil {
                spend(others.count / 4)
                for other in others where members[other] == nil {
                    add(.missing(other), "dependentRequired", of: schema, at: place)
                }
            }
        case .dependentSchemas(let dependent):
            spend(dependent.count / 4)
            for (name, schema) in dependent where members[name] != nil { apply(schema, at: place) }
        case .properties(let properties): checkMembers(members, properties, of: schema, at: place)
        case .propertyNames(let names):
            for (index, name) in members.names.enumerated() where stop == nil {
                // The name takes memory as a value.
                spend(20)
                apply(names, at: tree.addName(index, of: place, name))
            }
        case .unevaluatedProperties(let others):
            let evaluated = evaluated(logStart)
            spend(places.count)
            if !isForbidding(others) { log.append(.open(place)) }
            for child in places where !evaluated.contains(child) {
                log.append(isForbidding(others) ? .named(child) : .evaluated(child))
                apply(others, at: child)
            }
        default: break
        }
    }

    /// Whether the object has the member at this index or soon after it: most stand in the order of the schema, and to
    /// compare names is faster than to hash them.
    private func isNext(_ name: String, in members: JSON.Members, _ next: inout Int) -> Bool {
        for index in next..<min(next + 4, members.names.count) where members.names[index] == name {
            next = index + 1
            return true
        }
        return false
    }

    private func isForbidding(_ schema: Int) -> Bool {
        if case .nothing? = schemas[schema].checks.first { true } else { false }
    }

    private mutating func checkMembers(_ members: JSON.Members, _ properties: Properties, of schema: Int, at place: Int)
    {
        spend(members.names.count)
        let first = tree.children(of: place).lowerBound
        if isProbing {
            for (name, schema) in properties.constants where stop == nil {
                if let index = members.index(of: name) { apply(schema, at: first + index) }
            }
        }
        if properties.isDescribing { log.append(.described(place, schema: schema)) }
        if properties.others != nil, !properties.isClosed { log.append(.open(place)) }
        for (index, name) in members.names.enumerated() where stop == nil {
            let child = first + index
            let own = properties.named[name]
            var isNamed = own != nil
            if let own { apply(own, at: child) }
            for (pattern, schema) in properties.patterns where stop == nil && matches(pattern, name) {
                isNamed = true
                apply(schema, at: child)
            }
            // What is forbidden is no unknown member besides.
            if isNamed || properties.isClosed {
                log.append(.named(child))
            } else if properties.others != nil, settings.logsAll {
                log.append(.evaluated(child))
            }
            if !isNamed, let others = properties.others { apply(others, at: child) }
        }
    }

    /// The members that no schema of their object names, if one names others and none allows more.
    func unknownMembers() -> [SchemaFinding] {
        guard settings.reportsUnknown else { return [] }
        var isKnown = Array(repeating: false, count: tree.values.count)
        var isOpen = isKnown
        var describers: [Int: Int] = [:]
        for entry in log {
            switch entry {
            case .named(let place): isKnown[place] = true
            case .open(let place): isOpen[place] = true
            case .described(let place, let schema): if describers[place] == nil { describers[place] = schema }
            case .evaluated: break
            }
        }
        let closed = describers.filter { !isOpen[$0.key] }.sorted { $0.key < $1.key }
        let unknown = closed.lazy.flatMap { place, schema in
            tree.children(of: place).lazy.filter { !isKnown[$0] }.map { (place: $0, schema: schema) }
        }
        return unknown.prefix(1_000).map { place, schema in
            let (place, schema) = (tree.pointer(to: place), schemas[schema].pointer)
            return SchemaFinding(kind: .unknownMember, place: place, schema: schema, message: "is not in the schema")
        }
    }
}
