package import Foundation

extension HTTPBody {
    /// One piece of a body, as far as it can be printed.
    package enum Piece: Sendable {
        case bytes(Data)
        case file(URL)
        /// Bytes that are known only when they are sent.
        case stream
    }

    /// The pieces of the body in their order.
    package var pieces: [Piece] {
        switch content {
        case .none: []
        case .data(let data): [.bytes(data)]
        case .file(let url): [.file(url)]
        case .stream, .once, .encoded, .compressed, .failed: [.stream]
        case .joined(let bodies): bodies.flatMap(\.pieces)
        }
    }
}

extension HTTPBody {
    /// Whether the bytes have to be read, which may block.
    package var needsReading: Bool {
        switch content {
        case .none, .data: false
        case .file, .stream, .once, .joined, .encoded, .compressed, .failed: true
        }
    }

    /// Whether the bytes come from a stream or a sequence, which may give nothing for a while.
    var hasSource: Bool {
        switch content {
        case .stream, .once: true
        case .joined(let bodies): bodies.contains(where: \.hasSource)
        case .compressed(let body): body.hasSource
        case .none, .data, .file, .encoded, .failed: false
        }
    }

    /// The name of the file, if the body is one.
    package var fileName: String? {
        if case .file(let url) = content { url.lastPathComponent } else { nil }
    }

    /// The error of a body that could not be created, or that cannot be read; nil if nothing is wrong so far.
    package var problem: (any Error)? {
        switch content {
        case .failed(let error): error
        case .file(let url): url.isReadableFile ? nil : TransportError.InvalidRequest(.body, .unreadableFile)
        case .joined(let bodies): bodies.lazy.compactMap(\.problem).first
        case .compressed(let body): body.problem
        case .none, .data, .stream, .once, .encoded: nil
        }
    }

    /// The bytes of a value that is to be encoded; the same body for any other.
    ///
    /// - Throws: The errors of the encoding.
    package func encoded(by encoder: @autoclosure () -> JSONEncoder) throws -> HTTPBody {
        guard case .encoded(let encode) = content else { return self }
        return HTTPBody(content: .data(try encode(encoder())), contentType: contentType, coding: coding)
    }

    /// All bytes of the body. A one-shot stream is consumed.
    ///
    /// - Parameter reading: Another thread may cancel it.
    /// - Returns: The bytes; none without a body.
    /// - Throws: ``EngineFailure`` if a file or stream cannot be read, or does not have the declared number of bytes.
    package func bytes(by reading: BodyReading = BodyReading()) throws -> Data {
        let payload = try BodyPayload(self, by: reading)
        defer { payload.remove() }
        if let file = payload.file { return try Data(contentsOf: file) }
        return payload.data ?? Data()
    }

    var isStream: Bool {
        if case .file = content { false } else { needsReading }
    }

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
        case .compressed(let body): return isEmpty ? InputStream(data: Data()) : try CompressedStream(body)
        case .encoded(let encode):
            do { return InputStream(data: try encode(JSONEncoder())) } catch {
                throw EngineFailure(unreadable: .unreadableStream, underlying: error)
            }
        case .failed(let error): throw EngineFailure(unreadable: .unreadableStream, underlying: error)
        }
    }
}

extension EngineFailure {
    /// The failure of a stream, whose error may be an `EngineFailure` itself.
    ///
    /// The status is checked first: on Linux, `streamError` of a stream without one ends the process.
    init(of stream: InputStream) {
        let error = stream.streamStatus == .error ? stream.streamError : nil
        self = error as? EngineFailure ?? EngineFailure(unreadable: .unreadableStream, underlying: error)
    }

    init(unreadable problem: TransportError.InvalidRequest.Problem, underlying: (any Error)? = nil) {
        self.init(reason: .invalidRequest(.init(.body, problem)), underlying: underlying)
    }
}
