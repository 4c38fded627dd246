extension Checker {
    /// Applies the schemas of `anyOf` or `oneOf`. If none fits, what the nearest has found stays.
    mutating func apply(_ variants: Variants, of schema: Int, at place: Int) {
        if let discriminator = variants.discriminator, applyNamed(discriminator, of: schema, at: place) { return }
        var fitting = 0
        for variant in variants.schemas where fits(variant, at: place) && stop == nil { fitting += 1 }
        if stop != nil || variants.schemas.isEmpty { return }
        if fitting > 1, variants.isOne, settings.isStrict {
            add(.other("fits \(fitting) schemas, expected one"), variants.keyword, of: schema, at: place)
        }
        if fitting == 0 { addNearest(variants, of: schema, at: place) }
    }

    /// Adds the misfits of the variant that is nearest to fitting; in a variant of another one, which is only compared
    /// with others, a misfit that stands for them.
    private mutating func addNearest(_ variants: Variants, of schema: Int, at place: Int) {
        if variants.schemas.count > 1 || isRanking, let types = types(of: variants),
            !tree.values[place].isOne(of: types, isText: settings.isText)
        {
            return add(.type(types), variants.keyword, of: schema, at: place)
        }
        if isProbing || isRanking { return add(.other("fits none"), variants.keyword, of: schema, at: place) }
        let meant = variants.schemas.filter { constantsFit($0, at: place) == true }
        if meant.count == 1 { return apply(meant[0], at: place) }
        let (start, logged) = (misfits.count, log.count)
        var nearest: (distance: [Int], variant: Int)?
        isRanking = true
        for variant in variants.schemas where stop == nil {
            apply(variant, at: place)
            spend(misfits.count - start + log.count - logged)
            let distance = distance(of: misfits[start...], log[logged...], at: place)
            if nearest.map({ distance.lexicographicallyPrecedes($0.distance) }) ?? true {
                nearest = (distance, variant)
            }
            misfits.removeLast(misfits.count - start)
            log.removeLast(log.count - logged)
        }
        isRanking = false
        if let nearest { apply(nearest.variant, at: place) }
    }

    /// Whether the members of an object that are constants in a schema have their values; `nil` if there are none.
    private mutating func constantsFit(_ schema: Int, at place: Int, depth: Int = 0) -> Bool? {
        guard depth < 4, let members = tree.values[place].object else { return nil }
        let first = tree.children(of: place).lowerBound
        var answers: [Bool] = []
        for check in schemas[schema].checks {
            switch check {
            case .reference(let target):
                if let answer = constantsFit(target, at: place, depth: depth + 1) { answers.append(answer) }
            case .all(let parts): answers += parts.compactMap { constantsFit($0, at: place, depth: depth + 1) }
            case .properties(let properties):
                answers += properties.constants.compactMap { name, schema in
                    members.index(of: name).map { fits(schema, at: first + $0) }
                }
            default: continue
            }
        }
        return answers.isEmpty ? nil : !answers.contains(false)
    }

    /// The types that a value may have to fit one of the variants; `nil` if one of them names none.
    private func types(of variants: Variants, depth: Int = 0) -> JSONTypes? {
        variants.schemas.reduce(JSONTypes()) { types, schema in
            types.flatMap { types in self.types(of: schema, depth: depth + 1).map(types.union) }
        }
    }

    private func types(of schema: Int, depth: Int) -> JSONTypes? {
        guard depth < 4 else { return nil }
        for check in schemas[schema].checks {
            switch check {
            case .types(let types): return types
            case .reference(let target): return types(of: target, depth: depth + 1)
            case .variants(let variants): return types(of: variants, depth: depth)
            default: continue
            }
        }
        return nil
    }

    /// Applies the schema that the value names. Returns whether that decides.
    private mutating func applyNamed(
        _ discriminator: Variants.Discriminator,
        of schema: Int,
        at place: Int
    ) -> Bool {
        guard let members = tree.values[place].object, let name = members[discriminator.name]?.string
        else { return false }
        if let named = discriminator.schemas[name] {
            apply(named, at: place)
            return true
        }
        guard discriminator.isComplete, let index = members.index(of: discriminator.name) else {
            return false
        }
        spend(discriminator.schemas.count)
        let names = discriminator.schemas.keys.sorted().prefix(9).map { "“\($0.shortened())”" }
        let member = tree.children(of: place).lowerBound + index
        add(.value("one of \(names.listed(last: ", "))"), "discriminator", of: schema, at: member)
        log.append(.open(place))
        return true
    }

    /// The distance of a variant from fitting: first whether its type fits, then constants of members, then the number
    /// of misfits, and then how many members it names.
    private func distance(of found: ArraySlice<Misfit>, _ log: ArraySlice<Entry>, at place: Int) -> [Int] {
        let constants = found.count { $0.isOfConstant && ($0.place == place || tree.parent(of: $0.place) == place) }
        let named = log.count { entry in
            if case .named(let member) = entry { tree.parent(of: member) == place } else { false }
        }
        return [found.contains { $0.types(at: place) != nil } ? 1 : 0, constants, found.count, -named]
    }
}

extension Misfit {
    /// The types that were expected of the value at a place, if they are what does not fit.
    fileprivate func types(at place: Int) -> JSONTypes? {
        if place == self.place, case .type(let types) = reason { types } else { nil }
    }
}
