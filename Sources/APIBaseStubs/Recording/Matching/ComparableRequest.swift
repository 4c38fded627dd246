import Foundation
import HTTPTransport

/// What of a request is compared, without its secrets.
struct ComparableRequest: Sendable {
    typealias Difference = UnmatchedRequest.Difference

    let method: String
    let origin: String
    let path: String
    let query: [String: [String]]
    let headers: [HAR.Field]
    let body: Data
    /// Method and URL.
    let description: String

    /// - Parameter request: A request that has been redacted.
    init(_ request: HAR.Request) {
        let url = URLComponents(string: request.url)
        method = HTTPMethod(rawValue: request.method).rawValue
        let port = url?.port ?? (url?.scheme?.lowercased() == "https" ? 443 : 80)
        origin = "\(url?.scheme ?? "")://\(url?.host ?? ""):\(port)".lowercasedButMarkers
        path = url.map { $0.percentEncodedPath.isEmpty ? "/" : $0.percentEncodedPath } ?? ""
        let items = (url?.percentEncodedQueryItems ?? []).map { ($0.name.unescaped, ($0.value ?? "").unescaped) }
        query = Dictionary(grouping: items) { $0.0 }.mapValues { $0.map(\.1) }
        headers = request.headers
        body = request.postData?.data ?? Data()
        description = "\(method) \(request.url)"
    }

    /// What is different about `request`, seen from this one of the file.
    func differences(from request: ComparableRequest, in criteria: Set<Recording.Criterion>) -> [Difference] {
        var differences: [Difference] = []
        func compare(_ field: String, _ mine: String?, _ other: String?) {
            guard !(mine ?? "").stands(for: other ?? "") || (mine == nil) != (other == nil) else { return }
            differences.append(Difference(field: field, expected: mine.quoted, found: other.quoted))
        }
        if criteria.contains(.method) { compare("method", method, request.method) }
        if criteria.contains(.origin) { compare("origin", origin, request.origin) }
        if criteria.contains(.path) { compare("path", path, request.path) }
        if criteria.contains(.query) {
            for name in Set(query.keys).union(request.query.keys).sorted() {
                let (mine, other) = (query[name] ?? [], request.query[name] ?? [])
                for index in 0..<max(mine.count, other.count) {
                    compare("query item “\(name)”", mine.element(index), other.element(index))
                }
            }
        }
        for case .header(let name) in criteria.sorted(by: { "\($0)" < "\($1)" }) {
            compare("header “\(name)”", value(of: name), request.value(of: name))
        }
        if criteria.contains(.body), !body.comparable.stands(for: request.body.comparable) {
            let difference = Difference(
                field: "body",
                expected: "the recorded \(body.count) bytes",
                found: "\(request.body.count) other bytes"
            )
            differences.append(difference)
        }
        return differences
    }

    private func value(of header: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == header.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

extension UnmatchedRequest.Candidate {
    /// How far it is from answering.
    var distance: Int {
        differences.reduce(0) { sum, difference in
            switch difference.field {
            case "path": sum + 8
            case "method", "origin": sum + 4
            default: sum + 1
            }
        }
    }
}

extension Optional<String> {
    fileprivate var quoted: String { map { "“\($0)”" } ?? "missing" }
}

extension [String] {
    fileprivate func element(_ index: Int) -> String? { indices.contains(index) ? self[index] : nil }
}

extension String {
    fileprivate var unescaped: String { replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? self }

    fileprivate var lowercasedButMarkers: String {
        lowercased().replacingOccurrences(of: Redaction.marker.lowercased(), with: Redaction.marker)
    }

    fileprivate func stands(for other: String) -> Bool { Data(utf8).stands(for: Data(other.utf8)) }
}

extension Data {
    /// JSON in one spelling; anything else as it is.
    fileprivate var comparable: Data {
        guard let value = try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed) else { return self }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
        return (try? JSONSerialization.data(withJSONObject: value, options: options)) ?? self
    }

    /// Whether both are the same, if each marker in this one stands for anything.
    fileprivate func stands(for other: Data) -> Bool {
        if self == other { return true }
        let marker = Data(Redaction.marker.utf8)
        guard let first = firstRange(of: marker) else { return false }
        guard other.starts(with: self[..<first.lowerBound]) else { return false }
        var rest = other.dropFirst(first.lowerBound - startIndex)
        var pattern = self[first.upperBound...]
        while let next = pattern.firstRange(of: marker) {
            let piece = Data(pattern[..<next.lowerBound])
            guard let place = piece.isEmpty ? rest.startIndex..<rest.startIndex : rest.firstRange(of: piece) else {
                return false
            }
            rest = rest[place.upperBound...]
            pattern = pattern[next.upperBound...]
        }
        return rest.count >= pattern.count && rest.suffix(pattern.count) == pattern
    }
}
