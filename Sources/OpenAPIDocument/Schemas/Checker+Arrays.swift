extension Checker {
    mutating func checkArray(
        _ elements: [JSON],
        _ check: Check,
        of schema: Int,
        at place: Int,
        _ logStart: Int
    ) {
        let places = tree.children(of: place)
        switch check {
        case .elements(let rule):
            if !rule.fits(elements.count) {
                add(.size(elements.count, "element", rule.expected), rule.keyword, of: schema, at: place)
            }
        case .uniqueItems: checkUnique(elements, of: schema, at: place)
        case .items(let first, let others):
            for (child, schema) in zip(places, first) { evaluate(child, schema) }
            if let others { for child in places.dropFirst(first.count) { evaluate(child, others) } }
        case .contains(let content, let rule):
            var count = 0
            for child in places where fits(content, at: child) {
                if settings.logsAll { log.append(.evaluated(child)) }
                count += 1
            }
            if stop == nil, !rule.fits(count) {
                add(.size(count, "element", "\(rule.expected) that fit"), rule.keyword, of: schema, at: place)
            }
        case .unevaluatedItems(let others):
            let evaluated = evaluated(logStart)
            for child in places where !evaluated.contains(child) { evaluate(child, others) }
        default: break
        }
    }

    private mutating func evaluate(_ child: Int, _ schema: Int) {
        if settings.logsAll { log.append(.evaluated(child)) }
        apply(schema, at: child)
    }

    private mutating func checkUnique(_ elements: [JSON], of schema: Int, at place: Int) {
        var known: [[UInt8]: Int] = [:]
        for (index, element) in elements.enumerated() where stop == nil {
            let canonical = element.canonical
            spend(canonical.count / 20)
            if let other = known.updateValue(index, forKey: canonical) {
                return add(.other("has equal elements at \(other) and \(index)"), "uniqueItems", of: schema, at: place)
            }
        }
    }

    /// The places of members and elements that have been evaluated since then.
    mutating func evaluated(_ start: Int) -> Set<Int> {
        spend(log.count - start)
        var places: Set<Int> = []
        for entry in log[start...] {
            switch entry {
            case .named(let place), .evaluated(let place): places.insert(place)
            case .described, .open: break
            }
        }
        return places
    }
}
