extension Document {
    /// Whether no key of an object of few, all of ASCII, is there twice.
    func hasDistinctKeys(_ object: UInt32) -> Bool {
        let end = tape[object].length
        // A bit for each sort of keys, by their length and first and last bytes: mostly that is enough.
        var seen: UInt64 = 0
        var isSure = true
        var key = object &+ 2
        while key < end {
            let token = tape[key]
            let last = bytes[Int(token.start &+ token.length) &- 1]
            let sort = bytes[Int(token.start)] &+ last &* 11 &+ UInt8(truncatingIfNeeded: token.length) &* 29
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: sort)
            if seen & bit != 0 { isSure = false }
            seen |= bit
            key = tape.next(after: key &+ 1)
        }
        return isSure || !hasPair(object)
    }

    /// Whether two keys are the same, each compared with each.
    private func hasPair(_ object: UInt32) -> Bool {
        let end = tape[object].length
        var key = object &+ 2
        while key < end {
            let token = tape[key]
            var other = tape.next(after: key &+ 1)
            key = other
            while other < end {
                let second = tape[other]
                if second.length == token.length,
                    bytes.areEqual(Int(token.start), Int(second.start), Int(token.length))
                {
                    return true
                }
                other = tape.next(after: other &+ 1)
            }
        }
        return false
    }
}
