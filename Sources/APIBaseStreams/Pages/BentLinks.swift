import Basics
import HTTPTransport

/// The links of `Link` fields that bend the grammar where it is certain what is meant, and the places where it is not.
///
/// Read are a target without brackets or with `<` inside, a missing semicolon, a comma in its place, and a quote
/// without its end.
struct BentLinks {
    private(set) var links: [LinkHeader.Link] = []
    /// Texts in lower case that may name the relation type of a link which cannot be read.
    private var doubts: [String] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var reader = BentLinkReader(bytes)
        // The link before, if it has no relation type.
        var open: BentLinkReader.Piece?
        while var piece = reader.next() {
            if piece.form == .parameters {
                piece.target = open?.target ?? ""
                piece.form = open == nil ? .unreadable : .bracketed
            }
            let isReadable = piece.form == .bracketed || piece.form == .bare && piece.target.beginsAsURL
            let rels = piece.parameters.filter { $0.name == "rel" }.map(\.value)
            open = isReadable && rels.isEmpty ? piece : nil
            if isReadable, let rel = rels.first {
                let anchor = piece.parameters.first { $0.name == "anchor" }?.value
                links.append(LinkHeader.Link(target: piece.target, rel: rel, anchor: anchor))
                doubts += rels.dropFirst()
            } else if piece.form == .bracketed {
                doubts.append(piece.target.afterRel)
                doubts += piece.parameters.filter { $0.value.isEmpty || $0.name.hasPrefix("rel") }
                    .map { "\($0.name) \($0.value)" }
            } else {
                doubts.append(piece.form == .bare && rels.isEmpty ? piece.text : piece.text.afterRel)
            }
        }
        doubts = doubts.map { $0.lowercasedASCII() }
    }

    /// Whether a link that cannot be read may have this relation type, which is in lower case.
    func mayHave(_ relation: String) -> Bool {
        doubts.contains { doubt in
            doubt.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }.contains { $0 == relation }
        }
    }
}

extension String {
    /// Whether this is likely a URL: an absolute one, or one that is relative to a host or a page.
    fileprivate var beginsAsURL: Bool {
        let text = lowercasedASCII()
        return ["/", "?", "./", "../", "http://", "https://"].contains { text.hasPrefix($0) }
    }

    /// The text after the letters "rel".
    fileprivate var afterRel: String {
        lowercasedASCII().components(separatedBy: "rel").dropFirst().joined(separator: " ")
    }
}

/// Reads `Link` fields piece by piece: up to the next comma outside of a target and of a quoted string.
private struct BentLinkReader {
    struct Piece {
        enum Form { case bracketed, bare, parameters, unreadable }

        var form: Form
        var target = ""
        /// The parameters, whose names are in lower case. One without `=` has no value.
        var parameters: [(name: String, value: String)] = []
        var text = ""
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func next() -> Piece? {
        skip(" \t,")
        guard index < bytes.count else { return nil }
        let start = index
        var piece = target()
        if piece.form == .unreadable { _ = text(before: ",") } else { piece.parameters = parameters() }
        piece.text = String(decoding: bytes[start..<index], as: UTF8.self)
        return piece
    }

    private mutating func target() -> Piece {
        let start = index
        guard bytes[start] == UInt8(ascii: "<") else {
            let target = text(before: "<;, \t")
            guard !target.isEmpty else { return Piece(form: .unreadable) }
            guard target.lowercasedASCII().hasPrefix("rel"), !target.utf8.contains(UInt8(ascii: "/")) else {
                return Piece(form: .bare, target: target.trimmingCharacters(in: CharacterSet(charactersIn: "\"'")))
            }
            index = start
            return Piece(form: .parameters)
        }
        index += 1
        // With both of these inside, it is not clear where the target ends.
        var (hasBracket, hasSeparator) = (false, false)
        while index < bytes.count, !(hasBracket && hasSeparator) {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                defer { index += 1 }
                return Piece(form: .bracketed, target: String(decoding: bytes[(start + 1)..<index], as: UTF8.self))
            case UInt8(ascii: "<"): hasBracket = true
            case UInt8(ascii: ","), UInt8(ascii: ";"): hasSeparator = true
            default: break
            }
            index += 1
        }
        index = start + 1
        return Piece(form: .unreadable)
    }

    private mutating func parameters() -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while true {
            skip(" \t;")
            let name = text(before: "=;,< \t").lowercasedASCII()
            skip(" \t")
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
                guard !name.isEmpty else { return parameters }
                parameters.append((name, ""))
                continue
            }
            index += 1
            skip(" \t")
            // Several relation types may stand without quotes.
            parameters.append((name, value(before: name == "rel" ? ";,<" : ";,< \t")))
        }
    }

    /// A quoted string, or the text up to the next separator.
    private mutating func value(before ends: String) -> String {
        guard let quoted = bytes.quotedString(at: index),
            quoted.end == bytes.count || ";, \t<".utf8.contains(bytes[quoted.end])
        else { return text(before: ends) }
        index = quoted.end
        return quoted.text
    }

    private mutating func text(before ends: String) -> String {
        let start = index
        while index < bytes.count, !ends.utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skip(_ skipped: String) {
        while index < bytes.count, skipped.utf8.contains(bytes[index]) { index += 1 }
    }
}
