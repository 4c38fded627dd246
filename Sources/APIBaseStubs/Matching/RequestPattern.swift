import Foundation
import HTTPTransport

/// The conditions for a request that a stub answers: all of them have to hold.
struct RequestPattern: Sendable {
    var type: RequestClass?
    var method: HTTPMethod?
    var path: PathPattern?
    var query: [String: ValuePattern] = [:]
    var headers: [String: ValuePattern] = [:]
    var body: BodyPattern?

    /// Compares the request with these conditions.
    func match(_ call: StubbedCall) -> Match {
        var (parameters, mismatches): ([String: String], [Mismatch]) = ([:], [])
        if let type, !call.isMade(by: type.includes) {
            mismatches.append(Mismatch("class", expected: type.name, found: call.className))
        }
        if let method, method != call.method {
            mismatches.append(Mismatch("method", expected: method.rawValue, found: call.method.rawValue))
        }
        if let path {
            if let found = call.paths.lazy.compactMap(path.parameters(in:)).first {
                parameters = found
            } else {
                mismatches.append(Mismatch("path", expected: path.text, found: path.form(among: call.paths)))
            }
        }
        mismatches += Mismatch.all(in: query, kind: "query item") { call.queryItem($0) }
        mismatches += Mismatch.all(in: headers, kind: "header") { call.headers[$0] }
        // A body is looked at only if all else fits: it says nothing about another endpoint's.
        if mismatches.isEmpty, let difference = body?.difference(call) { mismatches.append(difference) }
        return Match(parameters: parameters, mismatches: mismatches)
    }

    /// Whether neither class nor method nor path is said.
    var isAnything: Bool { type == nil && method == nil && path == nil }

    /// The pattern as text for a message, such as `GET /users/:id`.
    var description: String {
        let line = [type?.name, method?.rawValue, path?.text].compactMap(\.self).joined(separator: " ")
        return line.isEmpty ? "any request" : line
    }
}

/// A request beside a pattern: the parameters of its path, and what is not as the pattern wants it; nothing if it fits.
struct Match {
    let parameters: [String: String]
    let mismatches: [Mismatch]
    var fits: Bool { mismatches.isEmpty }
}

/// A class of requests, and the classes below it.
struct RequestClass: Sendable {
    let name: String
    let includes: @Sendable (any AnyObject.Type) -> Bool

    init<Call: APIBase>(_ type: Call.Type) {
        name = "\(type)"
        includes = { $0 is Call.Type }
    }
}
