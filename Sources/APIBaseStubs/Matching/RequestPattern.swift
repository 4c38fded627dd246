import Foundation
import HTTPTransport

/// The conditions for the requests that a stub answers. All of them have to hold.
struct RequestPattern: Sendable {
    var type: RequestClass?
    var method: HTTPMethod?
    /// Whether the request is the handshake of a socket.
    var isSocket = false
    var path: PathPattern?
    /// The name of a GraphQL operation.
    var operation: String?
    var query: [String: ValuePattern] = [:]
    var headers: [String: ValuePattern] = [:]
    var body: BodyPattern?
    /// The mismatch of a request by another rule.
    var rule: (@Sendable (StubbedCall) -> Mismatch?)?

    /// Compares a request with the pattern. It matches if there are no mismatches.
    func match(_ call: StubbedCall) -> (parameters: [String: String], mismatches: [Mismatch]) {
        var (parameters, mismatches): ([String: String], [Mismatch]) = ([:], [])
        if let type, !call.isMade(by: type.includes) {
            mismatches.append(Mismatch("class", expected: type.name, found: call.className))
        }
        if let method, method != call.method {
            mismatches.append(Mismatch("method", expected: method.rawValue, found: call.method.rawValue))
        }
        if isSocket, call.upgrade == nil {
            mismatches.append(Mismatch("kind", expected: "a socket", found: "another request"))
        }
        if let path {
            if let found = call.paths.lazy.compactMap(path.parameters(in:)).first {
                parameters = found
            } else {
                mismatches.append(Mismatch("path", expected: path.text, found: path.mostSimilar(of: call.paths)))
            }
        }
        if let operation, case let found = call.operationName, operation != found {
            let found = found.map { "“\($0)”" } ?? "missing"
            mismatches.append(Mismatch("operation", expected: "“\(operation)”", found: found))
        }
        if let mismatch = rule?(call) { mismatches.append(mismatch) }
        mismatches += Mismatch.all(in: query, kind: "query item") { call.queryItem($0) }
        mismatches += Mismatch.all(in: headers, kind: "header") { call.headers[$0] }
        // The body of a request to another endpoint would only clutter the message.
        if mismatches.isEmpty, let difference = body?.difference(call) { mismatches.append(difference) }
        return (parameters, mismatches)
    }

    /// Whether the pattern names neither a class nor a method nor a path nor an operation.
    var isAnything: Bool { type == nil && method == nil && path == nil && operation == nil }

    /// The pattern as text for a message, such as `GET /users/:id`.
    var description: String {
        let line = [type?.name, isSocket ? "socket" : method?.rawValue, path?.text, operation].compactMap(\.self)
            .joined(separator: " ")
        return line.isEmpty ? "any request" : line
    }
}

/// A class of requests, and its subclasses.
struct RequestClass: Sendable {
    let name: String
    let includes: @Sendable (any AnyObject.Type) -> Bool

    init<Call: APIBase>(_ type: Call.Type) {
        name = "\(type)"
        includes = { $0 is Call.Type }
    }
}

/// A path with parameters and wildcards, such as `/users/:id` or `/users/{id}`.
struct PathPattern: Sendable {
    let text: String
    private let pieces: [String]

    init(_ text: String) {
        self.text = text
        pieces = Self.split(text).map(String.init)
    }

    /// The parameters, percent-decoded; nil if the path does not match.
    func parameters(in path: String) -> [String: String]? {
        var parameters: [String: String] = [:]
        let segments = Self.split(path)
        for (index, piece) in pieces.enumerated() {
            if piece == "**" { return parameters }
            guard index < segments.count else { return nil }
            let segment = Self.decoded(segments[index])
            if let name = Self.parameter(piece) {
                parameters[name] = segment
            } else if piece != "*", Self.decoded(piece) != segment {
                return nil
            }
        }
        return segments.count == pieces.count ? parameters : nil
    }

    /// The path that is most similar to the pattern, for a message; the last one if several are equally similar.
    func mostSimilar(of paths: [String]) -> String {
        paths.reversed().max { similarity(to: $0) < similarity(to: $1) } ?? ""
    }

    /// The number of segments that match, minus the difference in length.
    private func similarity(to path: String) -> Int {
        let segments = Self.split(path)
        let matching = zip(pieces, segments).count { piece, segment in
            let isOpen = piece == "*" || piece == "**" || Self.parameter(piece) != nil
            return isOpen || Self.decoded(piece) == Self.decoded(segment)
        }
        return matching - abs(pieces.count - segments.count)
    }

    /// The name of the parameter `:id`, or `{id}` as in a template; nil if the piece is none.
    private static func parameter(_ piece: String) -> String? {
        if piece.hasPrefix("{"), piece.hasSuffix("}") { return String(piece.dropFirst().dropLast()) }
        return piece.hasPrefix(":") && piece.count > 1 ? String(piece.dropFirst()) : nil
    }

    private static func split(_ path: String) -> [Substring] {
        (path.hasPrefix("/") ? path.dropFirst() : path[...]).split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func decoded(_ segment: some StringProtocol) -> String {
        segment.removingPercentEncoding ?? String(segment)
    }
}
