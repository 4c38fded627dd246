package import Foundation

extension HTTPBody {
    /// Whether the bytes have to be read from somewhere, which can take any time.
    package var needsReading: Bool {
        switch content {
        case .none, .data: false
        case .file, .stream, .once, .joined, .failed: true
        }
    }

    /// The name of the file, if the body is one.
    package var fileName: String? {
        if case .file(let url) = content { url.lastPathComponent } else { nil }
    }

    /// Why the body could not be made, or cannot be read: known before anything is sent.
    package var problem: (any Error)? {
        switch content {
        case .failed(let error): error
        case .file(let url): url.isReadableFile ? nil : InvalidRequest(.body, .unreadableFile)
        case .joined(let bodies): bodies.lazy.compactMap(\.problem).first
        case .none, .data, .stream, .once: nil
        }
    }

    /// All bytes of the body, read at once; a one-shot stream is used up by it.
    ///
    /// - Parameter isCancelled: Asked between reads whether nobody wants the bytes any more.
    /// - Returns: The bytes; none if there is no body.
    /// - Throws: ``EngineFailure`` if a file or stream cannot be read, or has not as many bytes as declared.
    package func bytes(until isCancelled: () -> Bool = { false }) throws -> Data {
        let payload = try BodyPayload(self, until: isCancelled)
        defer { payload.remove() }
        if let file = payload.file { return try Data(contentsOf: file) }
        return payload.data ?? Data()
    }

    var isStream: Bool {
        switch content {
        case .stream, .once, .joined, .failed: true
        case .none, .data, .file: false
        }
    }

    /// A fresh, unopened stream of the bytes.
    func makeStream() throws(EngineFailure) -> InputStream {
        switch content {
        case .file(let url):
            guard let stream = InputStream(url: url) else { throw EngineFailure(unreadable: .unreadableFile) }
            return stream
        case .stream(_, let make):
            do { return try make() } catch {
                throw EngineFailure(unreadable: .unreadableStream, underlying: error)
            }
        case .once(let once):
            guard let stream = once.take() else { throw EngineFailure(reason: .bodyNotReplayable) }
            return stream
        case .none: return InputStream(data: Data())
        case .data(let data): return InputStream(data: data)
        case .joined(let bodies): return JoinedStream(bodies)
        case .failed(let error): throw EngineFailure(unreadable: .unreadableStream, underlying: error)
        }
    }
}

extension EngineFailure {
    /// A stream has failed: with the transport's own error, or with any other.
    ///
    /// Foundation on Linux ends the process if it is asked for the error of a stream that has none.
    init(of stream: InputStream) {
        let error = stream.streamStatus == .error ? stream.streamError : nil
        self = error as? EngineFailure ?? EngineFailure(unreadable: .unreadableStream, underlying: error)
    }

    /// The body cannot be read.
    init(unreadable problem: InvalidRequest.Problem, underlying: (any Error)? = nil) {
        self.init(reason: .invalidRequest(InvalidRequest(.body, problem)), underlying: underlying)
    }
}
