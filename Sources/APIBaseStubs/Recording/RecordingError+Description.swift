public import Foundation

extension RecordingError: LocalizedError, CustomStringConvertible {
    /// The problem, its place, and a remedy.
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
        case .unwritableFile(let file, let reason):
            "The recording \(file.path) cannot be written: \(reason)"
        }
    }
}

extension RecordingError.Problem: CustomStringConvertible {
    /// The problem, as the end of a sentence that begins with the key.
    public var description: String {
        switch self {
        case .missing: "is missing"
        case .notA(let type): "is not of the type \(type)"
        case .notBase64: "is not the base64 that its encoding says"
        case .notAURL: "is no URL"
        case .notAStatus: "is no status of HTTP"
        }
    }
}
