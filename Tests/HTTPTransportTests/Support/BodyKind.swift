import Foundation
import HTTPTransport

/// The ways in which a body can be given.
enum BodyKind: CaseIterable {
    case data, file, stream, unknown, once

    /// The data as a body; as a file, it is written there unless there is something.
    func body(_ data: Data, file: URL) throws -> HTTPBody {
        switch self {
        case .data: return .data(data)
        case .stream: return .stream(count: Int64(data.count)) { InputStream(data: data) }
        case .unknown: return .stream(count: nil) { InputStream(data: data) }
        case .once: return .once(InputStream(data: data), count: Int64(data.count))
        case .file:
            if !FileManager.default.fileExists(atPath: file.path) { try data.write(to: file) }
            return .file(file)
        }
    }
}

extension Data {
    /// A pattern whose length is no power of two, so that a portion in the wrong place shows.
    static func pattern(_ count: Int) -> Data {
        let pattern = Data(0...250)
        var data = Data(capacity: count + pattern.count)
        while data.count < count { data.append(pattern) }
        return data.prefix(count)
    }
}
