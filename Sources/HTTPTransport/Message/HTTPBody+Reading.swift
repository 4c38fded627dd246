package import Foundation

extension HTTPBody {
    /// Whether the bytes have to be read from somewhere, which can take any time.
    package var needsReading: Bool {
        switch content {
        case .none, .data: false
        case .file, .stream, .once: true
        }
    }

    /// All bytes of the body, read at once; a one-shot stream is used up by it.
    ///
    /// - Parameter isCancelled: Asked between reads whether nobody wants the bytes any more.
    /// - Returns: The bytes; none if there is no body.
    /// - Throws: ``EngineFailure`` if a file or stream cannot be read, or has not as many bytes as declared.
    package func bytes(until isCancelled: () -> Bool = { false }) throws -> Data {
        let payload = try URLSessionPayload(self, until: isCancelled)
        defer { payload.remove() }
        if let file = payload.file { return try Data(contentsOf: file) }
        return payload.data ?? Data()
    }
}
