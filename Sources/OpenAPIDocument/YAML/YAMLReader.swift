import Basics
import Foundation

/// Reads the part of YAML 1.2 that is like JSON, and keeps the order of members: what documents of APIs are written in.
///
/// Tags, merge keys, complex keys and more than one document are refused.
struct YAMLReader {
    typealias Problem = JSONReader.Problem

    /// More collections in one another would end the stack.
    private static let depthLimit = 1_000
    /// More values than this by aliases are an attack: a short text may stand for more than there is memory for.
    private static let aliasLimit = 1_000_000

    let bytes: [UInt8]
    var place = 0
    var depth = 0
    /// The number of brackets in one another.
    var flowDepth = 0
    /// The indentation of the collection around the brackets: what is in them is further to the right.
    private(set) var flowIndentation = -1
    private var anchors: [String: (value: JSON, count: Int, depth: Int)] = [:]
    /// The greatest depth so far in the value that is being read, with that of aliases.
    private var deepest = 0
    /// The values so far, with those of aliases. A long text counts as several.
    private(set) var count = 0

    /// Reads a whole text.
    static func read(_ data: Data) throws(Problem) -> JSON {
        var reader = YAMLReader(data)
        return try reader.document()
    }

    private init(_ data: Data) {
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        // A line may end as on any system.
        let lines = text.split(separator: 0x0D, omittingEmptySubsequences: false)
        bytes = Array(lines[0]) + lines.dropFirst().flatMap { ($0.first == 0x0A ? [] : [0x0A]) + $0 }
    }

    private mutating func document() throws(Problem) -> JSON {
        if String(valid: bytes) == nil { throw problem("not UTF-8") }
        if let wrong = bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A || $0 == 0x7F }) {
            place = wrong
            throw problem("a control character")
        }
        try skipToContent()
        if isNext("%") { throw problem("directives are not read") }
        let isMarked = isMarker && isNext("-")
        if isMarked { place += 3 }
        let value = try node(below: -1, isValue: isMarked)
        try skipToContent()
        if isMarker, isNext(".") {
            place += 3
            try skipToContent()
        }
        if isMarker { throw problem("more than one document is not read") }
        if !isAtEnd { throw problem("something follows the value") }
        return value
    }

    // MARK: Places

    func problem(_ reason: String) -> Problem { Problem(reason, at: place, in: bytes) }

    /// The byte at a distance from the place; a line break at the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        place + distance < bytes.count ? bytes[place + distance] : UInt8(ascii: "\n")
    }

    var isAtEnd: Bool { place >= bytes.count }

    var isLineEnd: Bool { peek() == UInt8(ascii: "\n") }

    func isNext(_ character: Unicode.Scalar) -> Bool { !isAtEnd && peek() == UInt8(ascii: character) }

    /// Whether a byte is a space, a tab or a line break.
    func isSpace(_ distance: Int) -> Bool { [0x20, 0x09, 0x0A].contains(peek(distance)) }

    var isQuote: Bool { isNext("\"") || isNext("'") }

    /// The number of bytes before the place in its line.
    var column: Int { place - (bytes[..<place].lastIndex(of: 0x0A) ?? -1) - 1 }

    /// Whether a line begins here that ends a document, or begins another one.
    var isMarker: Bool {
        (isNext("-") || isNext(".")) && peek() == peek(1) && peek() == peek(2) && isSpace(3)
            && (place == 0 || bytes[place - 1] == 0x0A)
    }

    func text(from start: Int) -> String { String(decoding: bytes[start..<place], as: UTF8.self) }

    // MARK: Spaces

    mutating func skipSpaces() { while isNext(" ") || isNext("\t") { place += 1 } }

    mutating func skipLine() { while !isLineEnd { place += 1 } }

    /// Skips spaces and tabs, a comment, and line breaks with what is empty, up to the next content.
    ///
    /// - Returns: Whether it is on another line.
    @discardableResult
    mutating func skipToContent() throws(Problem) -> Bool {
        var isOnOtherLine = place == 0 || bytes[place - 1] == 0x0A
        while true {
            let start = place
            while isNext(" ") { place += 1 }
            if isNext("\t") {
                skipSpaces()
                // A tab may separate what is on one line, and an empty line may have any.
                if isOnOtherLine, !isLineEnd, !isNext("#") { throw problem("a tab is no indentation") }
            }
            if isNext("#"), isOnOtherLine || place > start { skipLine() }
            guard isNext("\n") else { return isOnOtherLine || isAtEnd }
            place += 1
            isOnOtherLine = true
        }
    }

    /// After a value, only a comment may stand in its line.
    mutating func expectLineEnd() throws(Problem) {
        guard place > 0, bytes[place - 1] != 0x0A else { return }
        let start = place
        skipSpaces()
        guard isLineEnd || isNext("#") && place > start else {
            throw problem(isNext(":") ? "a key cannot stand here" : "expected the end of the line")
        }
        place = start
    }

    // MARK: Nodes

    mutating func enter(_ levels: Int = 1) throws(Problem) {
        depth += levels
        deepest = max(deepest, depth)
        if depth > Self.depthLimit { throw problem("more than \(Self.depthLimit) collections in one another") }
    }

    /// Reads the value after an indicator, or that of the document. What belongs to it is further to the right than the
    /// collection around it, but for a list that is the value of a key.
    private mutating func node(below indentation: Int, isValue: Bool) throws(Problem) -> JSON {
        try enter()
        defer { depth -= 1 }
        let before = begin()
        var anchor: String?
        var start = place
        var isOnOtherLine = try skipToContent()
        if isNext("&"), !isEmptyNode(below: indentation, isValue: isValue, isOnOtherLine) {
            anchor = try name(of: "an anchor")
            start = place
            isOnOtherLine = try skipToContent()
        }
        if isEmptyNode(below: indentation, isValue: isValue, isOnOtherLine) {
            // What follows belongs to a collection around this.
            if isOnOtherLine { place = start }
            return keep(counted(.null), anchor, from: before)
        }
        if anchor != nil, isNext("*") { throw problem("an alias has no anchor") }
        if anchor != nil, !isOnOtherLine, hasKey { throw problem("an anchor of a key is not read") }
        if isOnOtherLine || !isValue && anchor == nil, let collection = try blockCollection() {
            return keep(collection, anchor, from: before)
        }
        let value = try inlineValue(below: indentation)
        try expectLineEnd()
        return keep(value, anchor, from: before)
    }

    private func isEmptyNode(below indentation: Int, isValue: Bool, _ isOnOtherLine: Bool) -> Bool {
        if isAtEnd || isMarker { return true }
        return isOnOtherLine && column <= indentation && !(isValue && column == indentation && isDash)
    }

    /// A value in brackets, a scalar, or an alias.
    mutating func inlineValue(below indentation: Int) throws(Problem) -> JSON {
        switch peek() {
        case UInt8(ascii: "*"): return try alias()
        case UInt8(ascii: "!"): throw problem("tags are not read")
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if flowDepth == 0 { flowIndentation = indentation }
            return try flow()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return counted(.string(try quoted(below: indentation)))
        case UInt8(ascii: "|") where flowDepth == 0, UInt8(ascii: ">") where flowDepth == 0:
            return counted(.string(try blockScalar(below: indentation)))
        default: return counted(try value(of: plain(below: indentation)))
        }
    }

    // MARK: Collections

    private var isDash: Bool { isNext("-") && isSpace(1) }

    /// A list or a mapping, if one begins here.
    private mutating func blockCollection() throws(Problem) -> JSON? {
        guard isDash || isLongKey || hasKey else { return nil }
        if place > 0, bytes[place - 1] == 0x09 { throw problem("a tab is no indentation") }
        return isDash ? try list(at: column) : try mapping(at: column)
    }

    private mutating func list(at indentation: Int) throws(Problem) -> JSON {
        var elements: [JSON] = []
        repeat {
            place += 1
            elements.append(try node(below: indentation, isValue: false))
        } while try isContinued(at: indentation) && isDash
        return counted(.array(elements))
    }

    private mutating func mapping(at indentation: Int) throws(Problem) -> JSON {
        var members = JSON.Members()
        repeat {
            let (start, isLong) = (place, isLongKey)
            guard let key = isLong ? try longKey(at: indentation) : key() else {
                place = start
                throw problem("expected a key")
            }
            try check(key, from: start, in: members)
            if isLong, try !hasLongValue(at: indentation) {
                members[key] = counted(.null)
            } else {
                members[key] = try node(below: indentation, isValue: !isLong)
            }
        } while try isContinued(at: indentation)
        return counted(.object(members))
    }

    mutating func check(_ key: String, from start: Int, in members: JSON.Members) throws(Problem) {
        let isMerge = key == "<<" && bytes[start] == UInt8(ascii: "<")
        guard isMerge || members[key] != nil else { return }
        place = start
        throw problem(isMerge ? "merge keys are not read" : "the key “\(key)” stands twice")
    }

    /// Whether another entry of the collection follows.
    private mutating func isContinued(at indentation: Int) throws(Problem) -> Bool {
        try skipToContent()
        if isAtEnd || isMarker { return false }
        if column > indentation { throw problem("the indentation is none of those before") }
        return column == indentation
    }

    /// Whether the rest of the line begins with a key.
    var hasKey: Bool {
        var reader = self
        return reader.key() != nil
    }

    /// Reads a scalar on one line, and a colon with a space after it; `nil` if there is none.
    private mutating func key() -> String? {
        let start = place
        var key: String?
        if isQuote {
            // Of a text without an end, the lines are not read again for each of them.
            var line = YAMLReader(Data(bytes[place...].prefix { $0 != 0x0A }))
            key = try? line.quoted()
            place += line.place
        } else if isPlainStart {
            skipPlain()
            key = text(from: start)
        }
        guard let key else { return nil }
        skipSpaces()
        guard isNext(":"), isSpace(1) else { return nil }
        place += 1
        return key
    }

    /// Programs write a key of more than 128 characters so: `? key`, and `: value` in the next line.
    private var isLongKey: Bool { isNext("?") && isSpace(1) }

    private mutating func longKey(at indentation: Int) throws(Problem) -> String {
        place += 1
        if try skipToContent() { throw problem("expected a key") }
        let key = isQuote ? try quoted(below: indentation) : try plain(below: indentation)
        try expectLineEnd()
        return key
    }

    private mutating func hasLongValue(at indentation: Int) throws(Problem) -> Bool {
        let start = place
        let hasValue = try isContinued(at: indentation) && isNext(":") && isSpace(1)
        place = hasValue ? place + 1 : start
        return hasValue
    }

    // MARK: Anchors

    /// Skips an indicator, and reads the name after it.
    mutating func name(of kind: String) throws(Problem) -> String {
        place += 1
        let start = place
        while !isSpace(0), !",[]{}".utf8.contains(peek()) { place += 1 }
        guard place > start else { throw problem("expected the name of \(kind)") }
        return text(from: start)
    }

    /// The counts before a value that may have an anchor.
    mutating func begin() -> (count: Int, deepest: Int) {
        defer { deepest = depth }
        return (count, deepest)
    }

    mutating func keep(_ value: JSON, _ anchor: String?, from before: (count: Int, deepest: Int)) -> JSON {
        if let anchor { anchors[anchor] = (value, count - before.count, deepest - depth) }
        deepest = max(deepest, before.deepest)
        return value
    }

    private mutating func alias() throws(Problem) -> JSON {
        let name = try name(of: "an alias")
        guard let known = anchors[name] else { throw problem("there is no anchor “\(name)” before") }
        try enter(known.depth)
        depth -= known.depth
        count += known.count
        guard count < Self.aliasLimit else { throw problem("more than \(Self.aliasLimit) values by aliases") }
        return known.value
    }

    mutating func counted(_ value: JSON) -> JSON {
        count += 1 + (value.string?.utf8.count ?? 0) / 100
        return value
    }
}
