import Foundation

/// The end of a decoding: a value, or the kind of an error and its place.
enum Outcome<Value> {
    case value(Value)
    case failure(Failure)

    init(_ decode: () throws -> Value) {
        do { self = .value(try decode()) } catch { self = .failure(Failure(error)) }
    }
}

struct Failure: Equatable, CustomStringConvertible {
    /// The case of a `DecodingError`, with the type or the key it names.
    let kind: String
    let path: [String]

    init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            kind = "\(error)"
            path = []
            return
        }
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(let type, let found):
            kind = "typeMismatch \(type)"
            context = found
        case .valueNotFound(let type, let found):
            kind = "valueNotFound \(type)"
            context = found
        case .keyNotFound(let key, let found):
            kind = "keyNotFound \(key.stringValue)"
            context = found
        case .dataCorrupted(let found):
            kind = "dataCorrupted"
            context = found
        @unknown default:
            kind = "unknown"
            path = []
            return
        }
        path = context.codingPath.map(\.stringValue)
    }

    var isOfDocument: Bool { kind == "dataCorrupted" && path.isEmpty }

    var description: String { "\(kind) at \(path.isEmpty ? "the top" : path.joined(separator: "."))" }
}
