import Foundation

/// A body as bytes or as a file, the two forms that `URLSession` frames properly.
///
/// A stream is read to its end before anything is sent, into memory or, if it is long, into a private temporary file.
/// Foundation on Linux would send a stream chunked, read it on the queue that all sessions share, take "nothing yet"
/// for its end, and could not send it again.
struct BodyPayload {
    /// The most bytes of a stream that are kept in memory.
    private static let memoryBytes = 1 << 20

    private(set) var data: Data?
    private(set) var file: URL?
    private var isTemporary = false

    /// Prepares the body. Canceling `reading` ends the reading of a stream.
    init(_ body: HTTPBody, by reading: BodyReading = BodyReading()) throws(EngineFailure) {
        switch body.content {
        case .none: break
        case .data(let data): self.data = data.isEmpty ? nil : data
        case .file(let url): try useFile(url)
        case .stream, .once, .joined, .encoded, .compressed, .failed:
            let count = body.count
            try read(try body.makeStream(), count: count, by: reading)
        }
    }

    /// True if there are no bytes.
    var isEmpty: Bool { data?.isEmpty ?? file.map { HTTPBody.file($0).count == 0 } ?? true }

    func remove() {
        guard isTemporary, let file else { return }
        try? FileManager.default.removeItem(at: file)
    }

    private mutating func useFile(_ url: URL) throws(EngineFailure) {
        guard url.isReadableFile else { throw EngineFailure(unreadable: .unreadableFile) }
        file = url
    }

    private mutating func read(_ stream: InputStream, count: Int64?, by reading: BodyReading) throws(EngineFailure) {
        var gathered = Data()
        var handle: FileHandle?
        var total: Int64 = 0
        defer { try? handle?.close() }
        do {
            try reading.reading(stream) {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                while !reading.isCancelled {
                    let length = stream.read(&buffer, maxLength: buffer.count)
                    guard length >= 0 else { throw EngineFailure(of: stream) }
                    guard length > 0 else { break }
                    total += Int64(length)
                    if let count, total > count { break }
                    gathered.append(contentsOf: buffer[..<length])
                    guard gathered.count > Self.memoryBytes else { continue }
                    if handle == nil { handle = try makeTemporaryFile() }
                    try handle?.write(contentsOf: gathered)
                    gathered.removeAll(keepingCapacity: true)
                }
                try handle?.write(contentsOf: gathered)
            }
        } catch {
            remove()
            throw error as? EngineFailure ?? EngineFailure(unreadable: .unreadableStream, underlying: error)
        }
        if let count, total != count, !reading.isCancelled {
            remove()
            throw EngineFailure(reason: .bodyLength(declared: count, actual: total))
        }
        if file == nil, !gathered.isEmpty { data = gathered }
    }

    private mutating func makeTemporaryFile() throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("HTTPTransport-\(UUID().uuidString)")
        let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: permissions) else {
            throw CocoaError(.fileWriteUnknown)
        }
        file = url
        isTemporary = true
        return try FileHandle(forWritingTo: url)
    }
}

extension URL {
    /// Whether the URL leads to a regular, readable file.
    var isReadableFile: Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path)[.type]
        return isFileURL && type as? FileAttributeType == .typeRegular
            && FileManager.default.isReadableFile(atPath: path)
    }
}
