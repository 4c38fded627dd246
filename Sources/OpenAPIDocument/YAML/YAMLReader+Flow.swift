/// Collections in brackets.
extension YAMLReader {
    mutating func flow() throws(Problem) -> JSON {
        try enter()
        flowDepth += 1
        defer { (depth, flowDepth) = (depth - 1, flowDepth - 1) }
        let isMapping = isNext("{")
        let end: Unicode.Scalar = isMapping ? "}" : "]"
        var (elements, members) = ([JSON](), JSON.Members())
        repeat {
            // The bracket, or a comma.
            place += 1
            try skipInFlow()
            if isNext(end) { break }
            if isMapping { try readMember(of: &members) } else { elements.append(try flowValue()) }
            try skipInFlow()
        } while isNext(",")
        guard isNext(end) else { throw problem("expected “,” or “\(end)”") }
        place += 1
        return counted(isMapping ? .object(members) : .array(elements))
    }

    private mutating func readMember(of members: inout JSON.Members) throws(Problem) {
        let (start, isQuoted) = (place, isQuote)
        guard isQuoted || isPlainStart else { throw problem("expected a key") }
        let key = isQuoted ? try quoted() : try plain(below: -1)
        try check(key, from: start, in: members)
        try skipInFlow()
        members[key] = .null
        guard isNext(":") else { return }
        if !isQuoted, !isSpace(1) { throw problem("expected a space after the colon") }
        place += 1
        try skipInFlow()
        members[key] = isNext(",") || isNext("}") ? counted(.null) : try flowValue()
    }

    private mutating func flowValue() throws(Problem) -> JSON {
        guard isNext("&") else { return try inlineValue(below: -1) }
        let before = begin()
        let anchor = try name(of: "an anchor")
        try skipInFlow()
        return keep(try flowValue(), anchor, from: before)
    }

    private mutating func skipInFlow() throws(Problem) {
        let isOnOtherLine = try skipToContent()
        if isAtEnd || isMarker { throw problem("the collection does not end") }
        if isOnOtherLine, column <= flowIndentation { throw problem("what is in brackets is further to the right") }
    }
}
