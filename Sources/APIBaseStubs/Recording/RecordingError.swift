public import Foundation

/// Why a recording could not be read, replayed or written.
///
/// Nothing in it is secret: what ``/APIBaseKit/Redaction`` takes out of a file is not in its messages either.
public enum RecordingError: Error, Sendable, Hashable {
    /// A problem with a value in the file.
    public enum Problem: Sendable, Hashable {
        /// It is not there.
        case missing
        /// It is something else than it has to be, which is named as Swift names it: `String`, `Int`, `Array`.
        case notA(String)
        /// It is said to be base64, and is not.
        case notBase64
        /// It is no URL.
        case notAURL
        /// It is a number, but not one that can be the status of a response.
        case notAStatus
    }

    /// There is no such file, and it is to be replayed.
    case missingFile(URL)
    /// The file cannot be read, for the reason the system gives.
    case unreadableFile(URL, reason: String)
    /// The file is not JSON; `reason` is what the parser says, with the place if it tells.
    case notJSON(URL, reason: String)
    /// The file is JSON, but not the HAR that is needed: the value for `key`, as `log.entries[3].request.url`, is wrong.
    case wrongShape(URL, key: String, problem: Problem)
    /// No entry of the file answers the request.
    case unmatched(UnmatchedRequest)
    /// The entry with this number, counted from 1, has no text of the reply's body, whose `size` it gives in bytes: it was
    /// exported without contents.
    case missingBody(URL, entry: Int, size: Int)
    /// The file cannot be written, for the reason the system gives.
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

    /// `Array` rather than `Array<Entry>`, and what JSON calls an object rather than `Dictionary`.
    private static func name(of type: any Any.Type) -> String {
        let name = String(describing: type).prefix { $0 != "<" }
        return name == "Dictionary" ? "Object" : String(name)
    }
}

extension [any CodingKey] {
    /// As one writes it: `log.entries[3].request`.
    fileprivate var asPath: String {
        let path = reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
        }
        return String(path.drop { $0 == "." })
    }
}
