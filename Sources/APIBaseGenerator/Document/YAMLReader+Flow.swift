/// Collections in brackets.
extension YAMLReader {
    mutating func flow() throws(JSONReader.Problem) -> JSON {
        depth += 1
        flowDepth += 1
        defer { (depth, flowDepth) = (depth - 1, flowDepth - 1) }
        guard depth <= Self.depthLimit else { throw problem("more than \(Self.depthLimit) collections in one another") }
        let isMapping = isNext("{")
        place += 1
        return isMapping ? try flowMapping() : try flowList()
    }

    private mutating func flowList() throws(JSONReader.Problem) -> JSON {
        var elements: [JSON] = []
        try skipInFlow()
        while !isNext("]") {
            elements.append(try flowValue())
            try skipInFlow()
            if isNext(":") { throw problem("a key in a list is not read") }
            try separate("]")
        }
        place += 1
        return counted(.array(elements))
    }

    private mutating func flowMapping() throws(JSONReader.Problem) -> JSON {
        var members = JSON.Members()
        try skipInFlow()
        while !isNext("}") {
            let start = place
            let isQuoted = isNext("\"") || isNext("'")
            if isNext("?"), isSpace(1) { throw problem("keys with “?” are not read") }
            guard isQuoted || isPlainStart else { throw problem("expected a key") }
            let key = isQuoted ? try quoted() : try plain(below: -1)
            if key == "<<", !isQuoted { throw problem("merge keys are not read") }
            guard members[key] == nil else {
                place = start
                throw problem("the key “\(key)” stands twice")
            }
            try skipInFlow()
            var value = JSON.null
            if isNext(":") {
                if !isQuoted, !isSpace(1) { throw problem("expected a space after the colon") }
                place += 1
                try skipInFlow()
                value = isNext(",") || isNext("}") ? counted(.null) : try flowValue()
            }
            members[key] = value
            try skipInFlow()
            try separate("}")
        }
        place += 1
        return counted(.object(members))
    }

    private mutating func flowValue() throws(JSONReader.Problem) -> JSON {
        switch peek() {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try flow()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return counted(.string(try quoted()))
        case UInt8(ascii: "*"):
            place += 1
            return try alias(try name(of: "an alias"))
        case UInt8(ascii: "&"):
            place += 1
            let (anchor, before) = (try name(of: "an anchor"), count)
            try skipInFlow()
            return keep(try flowValue(), anchor, from: before)
        case UInt8(ascii: "!"): throw problem("tags are not read")
        default:
            guard isPlainStart else { throw problem("expected a value") }
            return counted(try value(of: plain(below: -1)))
        }
    }

    /// A comma, or the end of the collection.
    private mutating func separate(_ end: Unicode.Scalar) throws(JSONReader.Problem) {
        if isNext(",") {
            place += 1
            try skipInFlow()
            if isNext(",") { throw problem("expected a value") }
        } else if !isNext(end) {
            throw problem("expected “,” or “\(end)”")
        }
    }

    private mutating func skipInFlow() throws(JSONReader.Problem) {
        let isOnOtherLine = try skipToContent()
        if isAtEnd || isMarker { throw problem("the collection does not end") }
        if isOnOtherLine, column <= flowIndentation { throw problem("what is in brackets is further to the right") }
    }
}
