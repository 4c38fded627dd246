public import APIBaseStubs
import Foundation

/// The reason why a recording could not be read, replayed or written.
///
/// It contains no secrets: what ``/APIBaseKit/RedactionRules`` removes from a file is not in its messages either.
public enum RecordingError: Error, Sendable, Hashable {
    /// A problem with a value in the file.
    public enum Problem: Sendable, Hashable {
        /// The value is missing.
        case missing
        /// The value has another type than this one, which is a name in Swift: `String`, `Int`, `Array`.
        case notA(String)
        /// The value is no object with a method and a URL.
        case notARequest
        /// The value is marked as base64, but is not.
        case notBase64
    }

    /// The file to replay does not exist.
    case missingFile(URL)
    /// The file cannot be read. The reason is the system's.
    case unreadableFile(URL, reason: String)
    /// The file is not JSON. The reason is the parser's, with the place if the parser tells it.
    case notJSON(URL, reason: String)
    /// The file is JSON, but not a HAR file that can be replayed: the value for `key` is wrong. That is `log.entries` or
    /// what is around it, the request of the first entry if none has a request, or the body of the response that a call
    /// needs: `log.entries[3].response.content.text`.
    case wrongShape(URL, key: String, problem: Problem)
    /// No entry of the file answers the request.
    case unmatched(UnmatchedRequest)
    /// The entry with this number, counted from 1, has no text for the response body of `size` bytes. It was exported
    /// without contents.
    case missingBody(URL, entry: Int, size: Int)
    /// The client of a replayed socket has sent another message than the one with this number, counted from 1, of its
    /// entry. The socket fails with it.
    case unexpectedMessage(URL, request: String, number: Int, Mismatch)
    /// The file cannot be written. The reason is the system's.
    case unwritableFile(URL, reason: String)
}

extension RecordingError {
    init(_ error: DecodingError, in file: URL) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .wrongShape(file, key: (context.codingPath + [key]).asPath, problem: .missing)
        case .valueNotFound(_, let context):
            self = .wrongShape(file, key: context.codingPath.asPath, problem: .missing)
        case .typeMismatch(let type, let context):
            self = .wrongShape(file, key: context.codingPath.asPath, problem: .notA(Self.name(of: type)))
        case .dataCorrupted(let context):
            self = .notJSON(file, reason: context.debugDescription)
        @unknown default:
            self = .unreadableFile(file, reason: error.localizedDescription)
        }
    }

    /// `Array` for `Array<Entry>`, and JSON's name `Object` for `Dictionary`.
    private static func name(of type: any Any.Type) -> String {
        let name = String(describing: type).prefix { $0 != "<" }
        return name == "Dictionary" ? "Object" : String(name)
    }
}

extension [any CodingKey] {
    /// The path as text, such as `log.entries[3].request`.
    fileprivate var asPath: String {
        let path = reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
        }
        return String(path.drop { $0 == "." })
    }
}

extension RecordingError: LocalizedError, CustomStringConvertible {
    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The problem, its place, and a remedy.
    public var description: String {
        switch self {
        case .missingFile(let file):
            "There is no recording at \(file.path) to replay. The modes .once and .new make one."
        case .unreadableFile(let file, let reason):
            "The recording \(file.path) cannot be read: \(reason)"
        case .notJSON(let file, let reason):
            "The recording \(file.path) is not JSON: \(reason)"
        case .wrongShape(let file, let key, let problem):
            "The recording \(file.path) is not a HAR that can be replayed: "
                + "\(key.isEmpty ? "the whole of it" : key) \(problem)."
        case .unmatched(let request): request.description
        case .missingBody(let file, let entry, let size):
            "Entry \(entry) of \(file.lastPathComponent) has no text for the \(size) bytes of its body. "
                + "Export it again, with contents."
        case .unexpectedMessage(let file, let request, let number, let difference):
            "The socket of \(request) differs at message \(number) of its entry in \(file.lastPathComponent): "
                + "\(difference)"
        case .unwritableFile(let file, let reason):
            "The recording \(file.path) cannot be written: \(reason)"
        }
    }
}

extension RecordingError.Problem: CustomStringConvertible {
    /// The problem as the end of a sentence that begins with the key.
    public var description: String {
        switch self {
        case .missing: "is missing"
        case .notA(let type): "is not of the type \(type)"
        case .notARequest: "has no method and URL that can be read"
        case .notBase64: "is not the base64 that its encoding says"
        }
    }
}
