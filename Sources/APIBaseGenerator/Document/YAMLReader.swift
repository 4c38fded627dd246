import Foundation

/// Reads the part of YAML 1.2 that is like JSON, and keeps the order of members: what documents of APIs are written in.
///
/// Tags, merge keys, complex keys and more than one document are refused.
struct YAMLReader {
    /// More collections in one another would end the stack.
    static let depthLimit = 1_000
    /// More values than this by aliases are an attack: a short text may stand for more than there is memory for.
    static let aliasLimit = 1_000_000

    let bytes: [UInt8]
    var place: Int
    var depth = 0
    private var anchors: [String: (value: JSON, count: Int)] = [:]
    /// The values so far, with those of aliases.
    private(set) var count = 0
    /// The number of bytes of a text in quotes that no line break shortens, since they were escaped.
    var protected = 0

    /// Reads a whole text.
    static func read(_ data: Data) throws(JSONReader.Problem) -> JSON {
        var reader = YAMLReader(data)
        try reader.checkCharacters(String(validating: data, as: UTF8.self))
        let isMarked = try reader.skipMark()
        let value = try reader.node(below: -1, isValue: isMarked)
        try reader.expectEnd()
        return value
    }

    private init(_ data: Data) {
        // A line may end as on any system.
        let text = Array(data).split(separator: 0x0D, omittingEmptySubsequences: false)
        var bytes = Array(text[0])
        for line in text.dropFirst() { bytes += (line.first == 0x0A ? [] : [0x0A]) + line }
        self.bytes = bytes
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    // MARK: Places

    func problem(_ reason: String) -> JSONReader.Problem {
        let lines = bytes[..<min(place, bytes.count)].split(separator: 0x0A, omittingEmptySubsequences: false)
        return JSONReader.Problem(line: lines.count, column: (lines.last?.count ?? 0) + 1, reason: reason)
    }

    /// The byte at a distance from the place; a line break at the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        place + distance < bytes.count ? bytes[place + distance] : UInt8(ascii: "\n")
    }

    var isAtEnd: Bool { place >= bytes.count }

    func isNext(_ character: Unicode.Scalar) -> Bool { !isAtEnd && peek() == UInt8(ascii: character) }

    /// Whether a byte is a space, a tab or a line break.
    func isSpace(_ distance: Int) -> Bool { [0x20, 0x09, 0x0A].contains(peek(distance)) }

    /// The number of bytes before the place in its line.
    var column: Int {
        var start = place
        while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
        return place - start - (start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    /// Whether a line begins here that ends a document, or begins another one.
    var isMarker: Bool {
        guard place + 2 < bytes.count, isNext("-") || isNext("."), column == 0 else { return false }
        return peek() == peek(1) && peek() == peek(2) && isSpace(3)
    }

    // MARK: Spaces

    /// Skips spaces and tabs, a comment, and line breaks with what is empty, up to the next content.
    ///
    /// - Returns: Whether it is on another line.
    @discardableResult
    mutating func skipToContent() throws(JSONReader.Problem) -> Bool {
        var isOnOtherLine = place == 0 || bytes[place - 1] == 0x0A
        while !isAtEnd {
            let start = place
            while isNext(" ") { place += 1 }
            if isNext("\t") {
                while isNext(" ") || isNext("\t") { place += 1 }
                // A tab may separate what is on one line, and an empty line may have any.
                if isOnOtherLine, !isAtEnd, peek() != 0x0A, peek() != UInt8(ascii: "#") {
                    throw problem("a tab is no indentation")
                }
            }
            let isSeparated = isOnOtherLine || place > start || place == 0
            if isNext("#"), isSeparated { while !isAtEnd, peek() != 0x0A { place += 1 } }
            guard !isAtEnd, peek() == 0x0A else { return isOnOtherLine }
            place += 1
            isOnOtherLine = true
        }
        return true
    }

    /// The number of brackets in one another.
    var flowDepth = 0
    /// The indentation of the collection around the brackets: what is in them is further to the right.
    var flowIndentation = -1

    /// Skips the mark that begins a document. Returns whether there is one.
    private mutating func skipMark() throws(JSONReader.Problem) -> Bool {
        try skipToContent()
        if isNext("%") { throw problem("directives are not read") }
        guard isMarker, isNext("-") else { return false }
        place += 3
        return true
    }

    private mutating func expectEnd() throws(JSONReader.Problem) {
        try skipToContent()
        if isMarker, isNext(".") {
            place += 3
            try skipToContent()
        }
        if isMarker { throw problem("more than one document is not read") }
        if !isAtEnd { throw problem("something follows the value") }
    }

    private func checkCharacters(_ text: String?) throws(JSONReader.Problem) {
        guard text != nil else { throw problem("not UTF-8") }
        var reader = self
        guard let wrong = bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A || $0 == 0x7F }) else {
            return
        }
        reader.place = wrong
        throw reader.problem("a control character")
    }

    // MARK: Nodes

    /// Reads the value after an indicator, or that of the document. What belongs to it is further to the right than the
    /// collection around it, but for a list that is the value of a key.
    mutating func node(below indentation: Int, isValue: Bool) throws(JSONReader.Problem) -> JSON {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw problem("more than \(Self.depthLimit) collections in one another") }
        let start = place
        var isOnOtherLine = try skipToContent()
        if isEmptyNode(below: indentation, isValue: isValue, isOnOtherLine) {
            // What follows belongs to a collection around this.
            if isOnOtherLine { place = start }
            return counted(.null)
        }
        var anchor: String?
        if isNext("&") {
            place += 1
            anchor = try name(of: "an anchor")
            let after = place
            isOnOtherLine = try skipToContent()
            if isEmptyNode(below: indentation, isValue: isValue, isOnOtherLine) {
                if isOnOtherLine { place = after }
                return keep(counted(.null), anchor, from: count)
            }
            if !isOnOtherLine, try hasKey(), !isNext("{"), !isNext("[") {
                throw problem("an anchor of a key is not read")
            }
        }
        let before = count
        if anchor != nil, isNext("*") { throw problem("an alias has no anchor") }
        let isBlock = isOnOtherLine || !isValue && anchor == nil
        return keep(try content(below: indentation, mayBeBlock: isBlock), anchor, from: before)
    }

    private func isEmptyNode(below indentation: Int, isValue: Bool, _ isOnOtherLine: Bool) -> Bool {
        if isAtEnd || isMarker { return true }
        guard isOnOtherLine else { return false }
        if column > indentation { return false }
        return !(isValue && column == indentation && isDash)
    }

    private mutating func content(below indentation: Int, mayBeBlock: Bool) throws(JSONReader.Problem) -> JSON {
        if isNext("*") {
            place += 1
            return try alias(try name(of: "an alias"))
        }
        if isNext("!") { throw problem("tags are not read") }
        if mayBeBlock {
            let isAfterTab = place > 0 && bytes[place - 1] == 0x09
            var isKey = isLongKey
            if !isKey { isKey = try hasKey() }
            if isAfterTab, isDash || isKey { throw problem("a tab is no indentation") }
            if isDash { return try list(at: column) }
            if isKey { return try mapping(at: column) }
        }
        let value = try scalarOrFlow(below: indentation)
        try expectLineEnd()
        return value
    }

    private mutating func scalarOrFlow(below indentation: Int) throws(JSONReader.Problem) -> JSON {
        switch peek() {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            flowIndentation = indentation
            return try flow()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return counted(.string(try quoted(below: indentation)))
        case UInt8(ascii: "|"), UInt8(ascii: ">"): return counted(.string(try blockScalar(below: indentation)))
        default: return counted(try value(of: plain(below: indentation)))
        }
    }

    /// After a value, only a comment may stand in its line.
    private mutating func expectLineEnd() throws(JSONReader.Problem) {
        guard place > 0, bytes[place - 1] != 0x0A else { return }
        let start = place
        while isNext(" ") || isNext("\t") { place += 1 }
        if isAtEnd || peek() == 0x0A || isNext("#") && place > start {
            place = start
            return
        }
        throw problem(isNext(":") ? "a key cannot stand here" : "expected the end of the line")
    }

    // MARK: Collections

    private var isDash: Bool { isNext("-") && isSpace(1) }

    private mutating func list(at indentation: Int) throws(JSONReader.Problem) -> JSON {
        var elements: [JSON] = []
        repeat {
            guard isDash else { throw problem("expected “- ”") }
            place += 1
            elements.append(try node(below: indentation, isValue: false))
        } while try isContinued(at: indentation) && isDash
        return counted(.array(elements))
    }

    private mutating func mapping(at indentation: Int) throws(JSONReader.Problem) -> JSON {
        var members = JSON.Members()
        repeat {
            let (start, isLong) = (place, isLongKey)
            let key = isLong ? try longKey(at: indentation) : try key()
            let isMerge = key == "<<" && bytes[start] == UInt8(ascii: "<")
            guard members[key] == nil, !isMerge else {
                place = start
                throw problem(isMerge ? "merge keys are not read" : "the key “\(key)” stands twice")
            }
            var hasValue = true
            if isLong { hasValue = try hasLongValue(at: indentation) }
            members[key] = hasValue ? try node(below: indentation, isValue: !isLong) : counted(.null)
        } while try isContinued(at: indentation)
        return counted(.object(members))
    }

    /// Whether another entry of the collection follows.
    private mutating func isContinued(at indentation: Int) throws(JSONReader.Problem) -> Bool {
        try skipToContent()
        if isAtEnd || isMarker { return false }
        if column > indentation { throw problem("the indentation is none of those before") }
        return column == indentation
    }

    /// Whether the rest of the line begins with a key: a scalar, and a colon with a space after it.
    func hasKey() throws(JSONReader.Problem) -> Bool {
        var reader = self
        let start = place
        if isNext("\"") || isNext("'") {
            guard (try? reader.quoted()) != nil else { return false }
        } else {
            guard isPlainStart else { return false }
            reader.skipPlain()
        }
        if bytes[start..<reader.place].contains(0x0A) { return false }
        while reader.isNext(" ") || reader.isNext("\t") { reader.place += 1 }
        return reader.isNext(":") && reader.isSpace(1)
    }

    private mutating func key() throws(JSONReader.Problem) -> String {
        guard try hasKey() else { throw problem("expected a key") }
        let text: String
        if isNext("\"") || isNext("'") {
            text = try quoted()
        } else {
            let start = place
            skipPlain()
            text = String(decoding: bytes[start..<place], as: UTF8.self)
        }
        while !isNext(":") { place += 1 }
        place += 1
        return text
    }

    /// Programs write a key of more than 128 characters so: `? key`, and `: value` in the next line.
    private var isLongKey: Bool { isNext("?") && isSpace(1) }

    private mutating func longKey(at indentation: Int) throws(JSONReader.Problem) -> String {
        place += 1
        if try skipToContent() { throw problem("expected a key") }
        let text: String
        if isNext("\"") || isNext("'") {
            text = try quoted(below: indentation)
        } else {
            text = try plain(below: indentation)
        }
        try expectLineEnd()
        return text
    }

    private mutating func hasLongValue(at indentation: Int) throws(JSONReader.Problem) -> Bool {
        let start = place
        if try isContinued(at: indentation), isNext(":"), isSpace(1) {
            place += 1
            return true
        }
        place = start
        return false
    }

    // MARK: Anchors

    mutating func name(of kind: String) throws(JSONReader.Problem) -> String {
        let start = place
        while !isAtEnd, !isSpace(0), !",[]{}".utf8.contains(peek()) { place += 1 }
        guard place > start else { throw problem("expected the name of \(kind)") }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    mutating func keep(_ value: JSON, _ anchor: String?, from before: Int) -> JSON {
        if let anchor { anchors[anchor] = (value, count - before) }
        return value
    }

    mutating func alias(_ name: String) throws(JSONReader.Problem) -> JSON {
        guard let known = anchors[name] else { throw problem("there is no anchor “\(name)” before") }
        count += known.count
        guard count < Self.aliasLimit else { throw problem("aliases give more than \(Self.aliasLimit) values") }
        return known.value
    }

    mutating func counted(_ value: JSON) -> JSON {
        count += 1
        return value
    }
}
