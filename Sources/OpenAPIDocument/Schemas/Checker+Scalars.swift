extension Checker {
    mutating func checkScalar(_ check: Check, of schema: Int, at place: Int) {
        let value = tree.values[place]
        // Few for a text, which may be a whole file.
        spend((value.text?.utf8.count ?? 0) / 1_000)
        switch check {
        case .constants(let constants):
            let canonical = value.canonical
            if value.text == nil { spend(canonical.count / 4) }
            if !constants.contains(value, canonical, isText: settings.isText) {
                add(.value(constants.expected), constants.keyword, of: schema, at: place)
            }
        case .number(let rule):
            if let number = number(value), !rule.fits(number) {
                add(.value(rule.expected), rule.keyword, of: schema, at: place)
            }
        case .characters(let rule):
            guard case .string(let text) = value else { return }
            let count = text.unicodeScalars.count
            if !rule.fits(count) {
                add(.size(count, "character", rule.expected), rule.keyword, of: schema, at: place)
            }
        case .pattern(let pattern, let source):
            guard case .string(let text) = value, !matches(pattern, text) else { return }
            add(.value("a text that fits the pattern \(source.shortened())"), "pattern", of: schema, at: place)
        case .format(let format):
            let text = format.isOfNumbers ? number(value).flatMap { _ in value.text } : value.string
            if let text, !format.fits(text) { add(.value(format.phrase), "format", of: schema, at: place) }
        default: break
        }
    }

    private func number(_ value: JSON) -> ExactNumber? {
        switch value {
        case .number(let digits): ExactNumber(digits)
        case .string(let text) where settings.isText: ExactNumber(text)
        default: nil
        }
    }

    /// Whether a pattern matches. If that takes too long, the check ends.
    mutating func matches(_ pattern: Pattern, _ text: String) -> Bool {
        let (result, steps) = pattern.matches(text)
        spend(5 + text.utf8.count / 100 + steps)
        if result == nil { stop = stop ?? .budget }
        return result ?? true
    }
}
