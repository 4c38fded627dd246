import Basics
import HTTPTransport

/// The `Link` header fields of a response (RFC 8288, section 3).
struct LinkHeader: Hashable {
    struct Link: Hashable {
        /// The target: a URL, or a reference relative to the URL of the response.
        let target: String
        /// The relation types of the first `rel`, in lower case.
        let relations: [String]
        /// The page that the link leads from; `nil` for the response itself.
        let anchor: String?

        init(target: String, rel: String, anchor: String?) {
            self.target = target.trimmingCharacters(in: .whitespaces)
            self.anchor = anchor
            // Some servers put other quotes around the type than the RFC has, or escape them.
            relations = rel.lowercasedASCII().split { " \t".contains($0) }
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"'`\\‘’“”„")) }
        }

        /// Whether the link has this relation type, and leads from this URL, whatever its query is.
        func has(_ relation: String, from url: URL) -> Bool {
            guard relations.contains(relation.lowercasedASCII()) else { return false }
            guard let anchor else { return true }
            guard !anchor.utf8.contains(UInt8(ascii: "#")), let context = try? url.resolving(anchor) else {
                return false
            }
            return context.origin == url.origin && context.path == url.path
        }

        /// Whether the target is another page than that of the link itself.
        var leadsAway: Bool { !target.isEmpty && target.utf8.first != UInt8(ascii: "#") }
    }

    /// The links in their order. Malformed ones are left out.
    let links: [Link]
    private let text: String

    /// Reads one or several values of the field, separated by commas.
    init(_ text: String) {
        self.text = text
        links = text.withBytes { bytes in
            var parser = LinkHeaderParser(bytes)
            var links: [Link] = []
            while let entry = parser.next() {
                guard let rel = entry.value(of: "rel") else { continue }
                links.append(Link(target: entry.target, rel: rel, anchor: entry.value(of: "anchor")))
            }
            return links
        }
    }

    /// The URL of the first link with a relation type that has a valid target. If none has, the URL of the first one as
    /// it is, so that its call fails: otherwise a list would seem to end here. Links that are not well-formed count if
    /// there are no others with the type.
    ///
    /// - Parameters:
    ///   - relation: The relation type, compared without case.
    ///   - url: The URL of the response, against which references are resolved (RFC 3986, section 5).
    /// - Returns: The URL, without a fragment; `nil` if there is no such link.
    func target(of relation: String, from url: URL) -> URL? {
        Self.target(of: relation, from: url, in: links) ?? Self.target(of: relation, from: url, in: bent.links)
    }

    private static func target(of relation: String, from url: URL, in links: [Link]) -> URL? {
        let targets = links.lazy.filter { $0.leadsAway && $0.has(relation, from: url) }.map(\.target)
        return targets.compactMap { try? url.resolving($0) }.first
            ?? targets.compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }.first
    }

    private var bent: BentLinks { text.withBytes { BentLinks($0) } }

    /// Why a link with a relation type that is probably meant cannot be read; `nil` if none is meant.
    func defect(of relation: String, from url: URL) -> String? {
        let bent = bent
        if (links + bent.links).contains(where: { $0.has(relation, from: url) }) {
            return "Its link has no URL, or one that cannot be read."
        }
        return bent.mayHave(relation.lowercasedASCII()) ? "Its link is malformed." : nil
    }
}

/// Reads `Link` fields from their bytes, link by link (RFC 8288, appendix B.2).
///
/// A malformed link is skipped up to the next comma outside quotes. The RFC's algorithm would stop there, and lose the
/// links after it.
private struct LinkHeaderParser {
    /// A link with its parameters, whose names are in lower case.
    struct Entry {
        let target: String
        var parameters: [(name: String, value: String)] = []

        /// The value of the first parameter with this name; empty if it has no value.
        func value(of name: String) -> String? { parameters.first { $0.name == name }?.value }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next well-formed link; `nil` at the end.
    mutating func next() -> Entry? {
        while index < bytes.count {
            skip { $0.isBlank || $0 == UInt8(ascii: ",") }
            if let entry = entry() { return entry }
            skipToComma()
        }
        return nil
    }

    private mutating func entry() -> Entry? {
        guard take("<") else { return nil }
        let start = index
        let target = text { !"<>".utf8.contains($0) }
        guard take(">") else {
            // Without its bracket the link may end at an earlier comma.
            index = start
            return nil
        }
        var entry = Entry(target: target)
        while true {
            skipBlanks()
            guard take(";") else { break }
            guard let parameter = parameter() else { return nil }
            entry.parameters.append(parameter)
        }
        return index == bytes.count || bytes[index] == UInt8(ascii: ",") ? entry : nil
    }

    private mutating func parameter() -> (name: String, value: String)? {
        skipBlanks()
        let name = text { !$0.isBlank && !"=;,".utf8.contains($0) }.lowercasedASCII()
        skipBlanks()
        guard take("=") else { return (name, "") }
        skipBlanks()
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            guard let value = bytes.quotedString(at: index) else {
                index += 1
                return nil
            }
            index = value.end
            return (name, value.text)
        }
        // As in the RFC, white space does not end the value. ``LinkHeader`` splits at it.
        return (name, text { !";,".utf8.contains($0) })
    }

    /// Skips to the next comma outside quotes. A quote without an end, or after a backslash, is an ordinary byte. At
    /// most one quote has no end, so reading takes linear time.
    private mutating func skipToComma() {
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
            if let quoted = bytes.quotedString(at: index) {
                index = quoted.end
            } else if take("\\") {
                _ = take("\"")
            } else {
                index += 1
            }
        }
    }

    private mutating func skipBlanks() { skip(while: \.isBlank) }

    private mutating func skip(while belongs: (UInt8) -> Bool) {
        while index < bytes.count, belongs(bytes[index]) { index += 1 }
    }

    private mutating func text(while belongs: (UInt8) -> Bool) -> String {
        let start = index
        skip(while: belongs)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}
