import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import HTTPTransport

/// The parts of a request that are compared, without its secrets.
struct ComparableRequest: Sendable {
    struct Field: Sendable {
        /// The names of the fields of a GraphQL operation.
        static let (operation, variables) = ("operation", "variables")

        let place: Place
        let value: String
        /// The body or the variables, if they are JSON.
        var tree: JSONTree?
        /// Whether the value contains a marker, which matches anything.
        var hasWildcard: Bool { value.contains(RedactionRules.marker) }
    }

    struct Place: Sendable, Hashable {
        /// The name of the part. Several items with one name have the same.
        let name: String
        /// The index among the fields of the same name.
        let number: Int
    }

    let fields: [Field]
    let description: String
    /// Whether the body of the request is known, which an entry need not have.
    private let hasBody: Bool

    /// Takes the parts of a redacted request that are compared.
    init(_ request: HAR.Request, in criteria: Set<Recording.Criterion>) {
        let url = URLComponents(string: request.url)
        let method = HTTPMethod(rawValue: request.method).rawValue
        description = "\(method) \(request.url)"
        hasBody = request.postData?.data?.isEmpty == false
        var fields: [Field] = []
        func add(_ name: String, _ value: String, number: Int = 0, tree: JSONTree? = nil) {
            fields.append(Field(place: Place(name: name, number: number), value: value, tree: tree))
        }
        if criteria.contains(.method) { add("method", method) }
        if criteria.contains(.origin) {
            // Browsers export the URLs of sockets with schemes of their own.
            let scheme = url?.scheme.map { ["ws": "http", "wss": "https"][$0.lowercased()] ?? $0 } ?? ""
            let port = url?.port ?? (scheme.lowercased() == "https" ? 443 : 80)
            add("origin", "\(scheme)://\(url?.host ?? ""):\(port)".lowercasedExceptMarkers)
        }
        if criteria.contains(.path) {
            add("path", url.map { $0.percentEncodedPath.isEmpty ? "/" : $0.percentEncodedPath } ?? "")
        }
        if criteria.contains(.query) {
            let items = (url?.percentEncodedQueryItems ?? []).map {
                ($0.name.formDecoded, ($0.value ?? "").formDecoded)
            }
            for (name, items) in Dictionary(grouping: items, by: \.0).sorted(by: { $0.key < $1.key }) {
                for (number, item) in items.enumerated() { add("query item “\(name)”", item.1, number: number) }
            }
        }
        let boundary = MultipartBoundary(of: request.bodyType)
        for case .header(let name) in criteria.sorted(by: { "\($0)" < "\($1)" }) {
            let values = request.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            let value = values.joined(separator: ", ")
            if !values.isEmpty { add("header “\(name)”", boundary?.removed(from: value) ?? value) }
        }
        if criteria.contains(.body) || criteria.contains(.query) && method == "QUERY" {
            var data = request.postData?.data ?? Data()
            data = boundary?.removed(from: data) ?? data
            let tree = JSONTree(data)
            add("body", tree?.canonicalText ?? BodyText(data).text, tree: tree)
        } else if criteria.contains(.operation), let body = request.postData?.data,
            let operation = ComparableOperation(body, type: request.bodyType)
        {
            add(Field.operation, operation.name)
            add(Field.variables, operation.variables.canonicalText, tree: operation.variables)
        }
        self.fields = fields
    }

    private init(fields: [Field], _ original: ComparableRequest) {
        (self.fields, description, hasBody) = (fields, original.description, original.hasBody)
    }

    /// The request without its GraphQL operation; `nil` if it has none.
    var withoutOperation: ComparableRequest? {
        let others = fields.filter { ![Field.operation, Field.variables].contains($0.place.name) }
        return others.count == fields.count ? nil : ComparableRequest(fields: others, self)
    }

    /// The differences between this recorded request and `request`. Without a body, it is of any operation.
    func differences(from request: ComparableRequest) -> [Mismatch] {
        let request = hasBody ? request : request.withoutOperation ?? request
        let mine = Dictionary(fields.map { ($0.place, $0) }) { $1 }
        let theirs = Dictionary(request.fields.map { ($0.place, $0) }) { $1 }
        let added = request.fields.filter { mine[$0.place] == nil }
        return (fields + added).map { (mine[$0.place], theirs[$0.place]) }.compactMap(Field.difference)
            .sorted { $0.rank < $1.rank }
    }

    func answers(_ request: ComparableRequest) -> Bool { differences(from: request).isEmpty }

    var wildcardPlaces: [Place] {
        fields.filter(\.hasWildcard).map(\.place).sorted { ($0.name, $0.number) < ($1.name, $1.number) }
    }

    /// A text for the request without the values at these places. Requests with the same text differ at most there.
    func key(without places: [Place]) -> String {
        fields.map { field in
            let value = places.contains(field.place) ? "" : "=\(field.value)"
            return "\(field.place.name)\u{0}\(field.place.number)\(value)"
        }
        .sorted().joined(separator: "\u{1}")
    }
}

extension ComparableRequest.Field {
    /// The difference between a recorded field and that of a request; nil if they match.
    static func difference(_ mine: Self?, _ theirs: Self?) -> Mismatch? {
        guard let name = (mine ?? theirs)?.place.name else { return nil }
        guard let mine, let theirs else {
            return Mismatch(name, expected: mine?.value.quoted ?? "missing", found: theirs?.value.quoted ?? "missing")
        }
        if mine.value == theirs.value || mine.value.matches(theirs.value) { return nil }
        if let mine = mine.tree, let theirs = theirs.tree {
            return mine.difference(from: theirs, at: name, matching: { $0 == $1 || $0.matches($1) }).map {
                Mismatch(at: $0.path, expected: $0.here, found: $0.there)
            }
        }
        guard name == "body" else { return Mismatch(name, expected: mine.value.quoted, found: theirs.value.quoted) }
        return Mismatch(
            name,
            expected: "the recorded \(mine.value.utf8.count) bytes",
            found: "\(theirs.value.utf8.count) other bytes"
        )
    }
}

extension Secrets {
    func removed(from mismatch: Mismatch) -> Mismatch {
        Mismatch(mismatch.field, expected: removed(from: mismatch.expected), found: removed(from: mismatch.found))
    }
}

extension Mismatch {
    /// The order in messages. Query items and headers are sorted by name.
    fileprivate var rank: (Int, String) {
        let rank = ["method", "origin", "path", "operation"].firstIndex(of: field)
        return (rank ?? (field.hasPrefix("query") ? 4 : field.hasPrefix("header") ? 5 : 6), field)
    }

    /// The weight of the mismatch. The sum of the weights is the distance between a request and an entry.
    var distance: Int {
        switch field {
        case "path", "operation": 8
        case "method", "origin": 4
        default: 1
        }
    }
}

extension String {
    fileprivate var quoted: String { "“\(self)”" }

    fileprivate var lowercasedExceptMarkers: String {
        lowercased().replacingOccurrences(of: RedactionRules.marker.lowercased(), with: RedactionRules.marker)
    }

    /// Whether both texts are equal if each marker in this one matches anything.
    fileprivate func matches(_ other: String) -> Bool {
        let pieces = components(separatedBy: RedactionRules.marker).map { Array($0.utf8) }
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

/// Finds recorded requests by their text, in a time that does not grow with their number. Requests with wildcards have
/// a table for each set of wildcard places.
struct EntryIndex: Sendable {
    private var tables: [[ComparableRequest.Place]: [String: [Int]]] = [:]

    /// Adds the entry with this number, which is greater than the numbers before.
    mutating func insert(_ number: Int, _ request: ComparableRequest) {
        let places = request.wildcardPlaces
        tables[places, default: [:]][request.key(without: places), default: []].append(number)
    }

    /// Lists of numbers, each in ascending order. They contain every entry that answers, and some that do not.
    func candidates(for request: ComparableRequest) -> [[Int]] {
        [request, request.withoutOperation].compactMap(\.self).flatMap { request in
            tables.compactMap { places, table in table[request.key(without: places)] }
        }
    }
}
