import APIBaseKit
import Basics

/// Valid JSON, to be formatted for people. Keys keep their order, and numbers their digits.
struct JSONText {
    private let bytes: [UInt8]

    init?(_ text: String) { self.init(Data(text.utf8)) }

    /// `nil` if the data is not JSON in UTF-8 without a byte order mark, which Foundation would also accept.
    init?(_ data: Data) {
        guard String(valid: data) != nil, data.first != 0xEF, !data.contains(0),
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
        else { return nil }
        bytes = Array(data)
    }

    /// The text with a line for each member, indented by two spaces a level, with colors.
    func formatted(in style: Style) -> String {
        var text = ""
        var depth = 0
        var tokens = Tokens(bytes: bytes)
        func lineBreak() -> String { "\n" + String(repeating: "  ", count: depth) }
        while let token = tokens.next() {
            let word = String(decoding: token, as: UTF8.self)
            switch word {
            case "{", "[":
                depth += 1
                let isEmpty = tokens.peek == token[token.startIndex] + 2
                text += word + (isEmpty ? "" : lineBreak())
            case "}", "]":
                depth -= 1
                text += ("{[".contains(text.last ?? " ") ? "" : lineBreak()) + word
            case ",": text += "," + lineBreak()
            case ":": text += ": "
            default:
                let isKey = tokens.peek == UInt8(ascii: ":")
                text += style.text(word.forTerminal, as: isKey ? .key : Self.role(of: token[token.startIndex]))
            }
        }
        return text
    }

    /// The elements of an array, or the value itself if it is not an array, each on one line without white space.
    var elements: [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var tokens = Tokens(bytes: bytes)
        var depth = tokens.peek == UInt8(ascii: "[") ? -1 : 0
        let isArray = depth < 0
        while let token = tokens.next() {
            let byte = token[token.startIndex]
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
            if depth < 0 || isArray && depth == 0 && byte == UInt8(ascii: ",") {
                if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
                line = []
            } else {
                line += token
            }
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        }
        return line.isEmpty ? lines : lines + [String(decoding: line, as: UTF8.self)]
    }

    private static func role(of first: UInt8) -> Style.Role {
        switch first {
        case UInt8(ascii: "\""): .good
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        default: .literal
        }
    }
}

/// The tokens of valid JSON: strings, numbers, names and punctuation marks.
private struct Tokens {
    private var rest: ArraySlice<UInt8>

    init(bytes: [UInt8]) { rest = bytes[...].drop(while: Self.isSpace) }

    var peek: UInt8? { rest.first }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let first = rest.first else { return nil }
        let length =
            switch first {
            case UInt8(ascii: "\""): stringLength
            case _ where Self.isPunctuation(first): 1
            default: rest.prefix { !Self.isSpace($0) && !Self.isPunctuation($0) }.count
            }
        defer { rest = rest.dropFirst(length).drop(while: Self.isSpace) }
        return rest.prefix(length)
    }

    private var stringLength: Int {
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            index += rest[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index + 1 - rest.startIndex
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
    private static func isPunctuation(_ byte: UInt8) -> Bool { "{}[],:".utf8.contains(byte) }
}
