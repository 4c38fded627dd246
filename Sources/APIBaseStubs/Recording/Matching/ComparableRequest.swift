import Basics
import Foundation
import HTTPTransport

/// The parts of a request that are compared, without its secrets.
struct ComparableRequest: Sendable {
    /// One thing that is compared.
    struct Field: Sendable {
        /// The name of the part: several items with one name all have the same.
        let name: String
        /// The index among those of the same name.
        let number: Int
        let value: String
        /// The body, if it is JSON.
        var tree: JSONTree?
        /// Whether a marker in it stands for anything.
        var isWild: Bool { value.contains(Redaction.marker) }

        /// The place of the field in its request, which no other field has.
        var place: Place { Place(name: name, number: number) }
    }

    struct Place: Sendable, Hashable, Comparable {
        let name: String
        let number: Int

        static func < (left: Place, right: Place) -> Bool { (left.name, left.number) < (right.name, right.number) }
    }

    /// The fields, in the order of messages.
    let fields: [Field]
    /// Method and URL.
    let description: String

    /// - Parameters:
    ///   - request: A request that has been redacted.
    ///   - criteria: What is compared.
    init(_ request: HAR.Request, in criteria: Set<Recording.Criterion>) {
        let url = URLComponents(string: request.url)
        let method = HTTPMethod(rawValue: request.method).rawValue
        description = "\(method) \(request.url)"
        var fields: [Field] = []
        func add(_ name: String, _ values: String...) {
            fields += values.enumerated().map { Field(name: name, number: $0.offset, value: $0.element) }
        }
        if criteria.contains(.method) { add("method", method) }
        if criteria.contains(.origin) {
            let port = url?.port ?? (url?.scheme?.lowercased() == "https" ? 443 : 80)
            add("origin", "\(url?.scheme ?? "")://\(url?.host ?? ""):\(port)".lowercasedButMarkers)
        }
        if criteria.contains(.path) {
            add("path", url.map { $0.percentEncodedPath.isEmpty ? "/" : $0.percentEncodedPath } ?? "")
        }
        if criteria.contains(.query) {
            let items = (url?.percentEncodedQueryItems ?? []).map { ($0.name.unescaped, ($0.value ?? "").unescaped) }
            for (name, items) in Dictionary(grouping: items, by: \.0).sorted(by: { $0.key < $1.key }) {
                fields += items.enumerated().map {
                    Field(name: "query item “\(name)”", number: $0.offset, value: $0.element.1)
                }
            }
        }
        for case .header(let name) in criteria.sorted(by: { "\($0)" < "\($1)" }) {
            let values = request.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            if !values.isEmpty { add("header “\(name)”", values.joined(separator: ", ")) }
        }
        if criteria.contains(.body) {
            let data = request.postData?.data ?? Data()
            let tree = JSONTree(data)
            fields.append(
                Field(name: "body", number: 0, value: tree?.canonicalText ?? data.asText, tree: tree)
            )
        }
        self.fields = fields
    }

    /// The differences of `request` from this one of the file.
    func differences(from request: ComparableRequest) -> [Mismatch] {
        let mine = Dictionary(fields.map { ($0.place, $0) }) { $1 }
        let theirs = Dictionary(request.fields.map { ($0.place, $0) }) { $1 }
        let added = request.fields.filter { mine[$0.place] == nil }
        return (fields + added).map { (mine[$0.place], theirs[$0.place]) }.compactMap(Field.difference)
            .sorted { $0.rank < $1.rank }
    }

    /// Whether an entry with this request answers another one.
    func answers(_ request: ComparableRequest) -> Bool {
        fields.count == request.fields.count && differences(from: request).isEmpty
    }

    /// The places of fields with markers that stand for anything.
    var wildPlaces: [Place] { fields.filter(\.isWild).map(\.place).sorted() }

    /// A text that requests have in common if all is the same but what is at these places, which they have all the same.
    func key(without places: [Place]) -> String {
        fields.map { field in
            let value = places.contains(field.place) ? "" : "=\(field.value)"
            return "\(field.name)\u{0}\(field.number)\(value)"
        }
        .sorted().joined(separator: "\u{1}")
    }
}

extension ComparableRequest.Field {
    /// The difference of `theirs` from `mine`; nil if `mine` stands for it.
    fileprivate static func difference(_ mine: Self?, _ theirs: Self?) -> Mismatch? {
        guard let name = (mine ?? theirs)?.name else { return nil }
        guard let mine, let theirs else {
            return Mismatch(name, expected: mine?.value.quoted ?? "missing", found: theirs?.value.quoted ?? "missing")
        }
        if mine.value == theirs.value || mine.value.stands(for: theirs.value) { return nil }
        guard name == "body" else { return Mismatch(name, expected: mine.value.quoted, found: theirs.value.quoted) }
        if let mine = mine.tree, let theirs = theirs.tree {
            return mine.difference(from: theirs, if: { $0 == $1 || $0.stands(for: $1) }).map {
                Mismatch(at: $0.path, expected: $0.here, found: $0.there)
            }
        }
        return Mismatch(
            name,
            expected: "the recorded \(mine.value.utf8.count) bytes",
            found: "\(theirs.value.utf8.count) other bytes"
        )
    }
}

extension Mismatch {
    /// The order in messages: of the query's items and of headers, by name.
    fileprivate var rank: (Int, String) {
        (
            ["method", "origin", "path"].firstIndex(of: field)
                ?? (field.hasPrefix("query") ? 3 : field.hasPrefix("header") ? 4 : 5), field
        )
    }

    /// The weight of the mismatch: the sum of them says how far an entry is from answering.
    var distance: Int { field == "path" ? 8 : field == "method" || field == "origin" ? 4 : 1 }
}

extension String {
    fileprivate var quoted: String { "“\(self)”" }

    fileprivate var unescaped: String { replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? self }

    fileprivate var lowercasedButMarkers: String {
        lowercased().replacingOccurrences(of: Redaction.marker.lowercased(), with: Redaction.marker)
    }

    /// Whether both are the same, if each marker in this one stands for anything.
    fileprivate func stands(for other: String) -> Bool {
        let pieces = components(separatedBy: Redaction.marker).map { Array($0.utf8) }
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return self == other }
        var rest = Array(other.utf8)[...]
        guard rest.starts(with: first) else { return false }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
}

extension Data {
    /// The bytes as text: as base64 if they are none.
    fileprivate var asText: String { String(valid: self) ?? base64EncodedString() }
}
