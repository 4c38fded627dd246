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

    /// Adds the misfits of the variant that is nearest to fitting.
    private mutating func addNearest(_ variants: Variants, of schema: Int, at place: Int) {
        if isProbing { return add(.other("fits none"), variants.keyword, of: schema, at: place) }
        let (start, logged) = (misfits.count, log.count)
        var nearest: (distance: [Int], misfits: [Misfit], log: [Entry])?
        var types: JSONTypes? = .init()
        for variant in variants.schemas where stop == nil {
            apply(variant, at: place)
            // No slice, which would make each change copy all misfits.
            let found = Array(misfits[start...])
            spend(found.count + log.count - logged)
            let distance = distance(of: found, log[logged...], at: place)
            if nearest.map({ distance.lexicographicallyPrecedes($0.distance) }) ?? true {
                nearest = (distance, found, Array(log[logged...]))
            }
            types = types.flatMap { known in found.first?.types(at: place).map(known.union) }
            misfits.removeLast(found.count)
            log.removeLast(log.count - logged)
        }
        guard stop == nil, let nearest else { return misfits.removeLast(misfits.count - start) }
        if let types, variants.schemas.count > 1 {
            return add(.type(types), variants.keyword, of: schema, at: place)
        }
        misfits += nearest.misfits
        log += nearest.log
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
        guard discriminator.isComplete, let index = members.names.firstIndex(of: discriminator.name) else {
            return false
        }
        spend(members.names.count / 4 + discriminator.schemas.count)
        let names = discriminator.schemas.keys.sorted().prefix(9).map { "“\($0.shortened())”" }
        let member = tree.children(of: place).lowerBound + index
        add(.value("one of \(names.listed(last: ", "))"), "discriminator", of: schema, at: member)
        log.append(.open(place))
        return true
    }

    /// The distance of a variant from fitting: first whether its type fits, then constants of members, then the number
    /// of misfits, and then how many members it names.
    private func distance(of found: [Misfit], _ log: ArraySlice<Entry>, at place: Int) -> [Int] {
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
