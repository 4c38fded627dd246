import Foundation
import OpenAPIDocument

/// The words of a name in a document, such as `user`, `id` of `user_id`, `userId` and `User-ID`.
struct Words {
    private let words: [String]
    private let abbreviation: String?

    init(_ text: String) {
        var words: [String] = []
        var word: [Unicode.Scalar] = []
        let scalars = Array(Self.spellingOutSigns(text).unicodeScalars)
        func end() {
            if !word.isEmpty { words.append(String(String.UnicodeScalarView(word))) }
            word = []
        }
        for (index, scalar) in scalars.enumerated() {
            guard scalar.isPartOfName else {
                end()
                continue
            }
            // `userName`, and the last capital of `HTTPServer`.
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if scalar.isCapital, let last = word.last, !last.isCapital || next.isSmall, !last.isDigit { end() }
            word.append(scalar)
        }
        end()
        // `MAX_SIZE` is shouted; the capitals of `userURL` are meant.
        let isShouted = !text.unicodeScalars.contains(where: \.isSmall)
        let isShort = words.count == 1 && words[0].count <= 4 && words[0].unicodeScalars.contains(where: \.isCapital)
        abbreviation = isShouted && isShort ? words[0] : nil
        self.words = isShouted ? words.map { $0.lowercased() } : words
    }

    var isEmpty: Bool { words.isEmpty }

    /// `userID`.
    var lowerCamel: String {
        guard let first = words.first else { return "" }
        let isAcronym = first.count > 1 && !first.unicodeScalars.contains(where: \.isSmall)
        let start = Self.acronyms[first.lowercased()] != nil || isAcronym ? first.lowercased() : first.lowerFirst
        return start + words.dropFirst().map(Self.capitalized).joined()
    }

    /// `UserID`. A short abbreviation stays as it is: `SKU`.
    var upperCamel: String { abbreviation ?? words.map(Self.capitalized).joined() }

    private static func capitalized(_ word: String) -> String { acronyms[word.lowercased()] ?? word.upperFirst }

    /// Those that Swift's own names write in capitals.
    private static let acronyms = Dictionary(
        uniqueKeysWithValues: [
            "ID", "IDs", "URL", "URLs", "URI", "URIs", "UUID", "HTTP", "HTTPS", "HTML", "JSON", "XML", "API", "IP",
            "SQL", "SSH", "SSL", "TLS", "DNS", "CSS", "CSV", "PDF", "UTC", "SHA",
        ]
        .map { ($0.lowercased(), $0) }
    )

    /// The text with words for signs that carry all the meaning: `+1`, `-1`, `*`, `>=`.
    private static func spellingOutSigns(_ text: String) -> String {
        let text = text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
        if text.unicodeScalars.contains(where: { $0.isPartOfName && !$0.isDigit }) {
            // `-created` sorts in the other direction than `created`.
            return text.hasPrefix("-") ? "minus \(text)" : text.hasPrefix("+") ? "plus \(text)" : text
        }
        let spelled = text.unicodeScalars.map { scalar in
            signs[scalar].map { " \($0) " } ?? (scalar.isSymbol ? " u\(String(scalar.value, radix: 16)) " : "\(scalar)")
        }
        return spelled.joined()
    }

    private static let signs: [Unicode.Scalar: String] = [
        "+": "plus", "-": "minus", "*": "star", "<": "less", ">": "greater", "=": "equal", "!": "not", "%": "percent",
        "&": "and", "|": "or", "/": "slash", "#": "hash", "@": "at", "$": "dollar", "~": "tilde", "^": "caret",
        "?": "question", ".": "dot", ",": "comma", ":": "colon", "_": "underscore",
    ]
}

extension Unicode.Scalar {
    /// Whether it can stand in a name of Swift, after another one.
    fileprivate var isPartOfName: Bool {
        if isASCII { return isDigit || "a"..."z" ~= self || "A"..."Z" ~= self }
        let isLetter = [.lowercaseLetter, .uppercaseLetter, .otherLetter].contains(properties.generalCategory)
        return value >= 0xC0 && isLetter && properties.isAlphabetic && !properties.isDiacritic
    }

    fileprivate var isSymbol: Bool { !isASCII && !isUnprintable && !isPartOfName }
    fileprivate var isDigit: Bool { "0"..."9" ~= self }
    fileprivate var isCapital: Bool { properties.isUppercase }
    fileprivate var isSmall: Bool { properties.isLowercase }
}

extension String {
    var upperFirst: String { prefix(1).uppercased() + dropFirst() }
    var lowerFirst: String { prefix(1).lowercased() + dropFirst() }
}
