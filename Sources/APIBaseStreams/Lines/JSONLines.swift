import Basics

extension JSONAPI {
    /// The call, with the body of its response read as values while it comes, one on each line: JSON Lines, also called
    /// NDJSON.
    ///
    /// For a loop, there is ``eachValue(of:)``.
    ///
    /// The request is sent as ``APIBase/sendStream()`` sends it. Lines are decoded with the settings that ``decoder``
    /// has when this method is called, and ``usesStrictJSON``; ``decode(_:from:)`` is not called.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - limit: The maximum length of a line in bytes, without its end: by default 1 MiB.
    /// - Returns: A publisher with the errors of ``APIBase/sendStream()``, and of the operator
    ///   `jsonLines(of:decoder:limit:)`: ``RequestError/undecodableLine(_:)`` and ``RequestError/lineTooLong(limit:)``.
    ///   Canceling it cancels the call.
    public func jsonLines<Model: Decodable>(
        of type: Model.Type,
        limit: Int = 1 << 20
    ) -> AnyPublisher<Model, any Error> {
        let (decoder, replies) = (bodyDecoder, sendStream())
        return Pulled { LineReader(in: replies, by: .jsonLines(limit), valueMaker(of: type, by: decoder)) }
            .eraseToAnyPublisher()
    }
}

extension JSONAPI {
    /// The values in the body of the response, one on each line, each as soon as it has arrived:
    ///
    /// ```swift
    /// for try await entry in LogRequest().eachValue(of: LogEntry.self) { … }
    /// ```
    ///
    /// - Returns: A sequence that throws the errors of ``jsonLines(of:limit:)``.
    public func eachValue<Model: Decodable>(of type: Model.Type) -> CallSequence<Model> {
        CallSequence(jsonLines(of: type))
    }
}

extension HTTPBody {
    /// Values as JSON Lines, one on each line: `content = .jsonLines(orders, encoder: encoder)`.
    ///
    /// If a value cannot be encoded, building the request fails with that error.
    ///
    /// - Parameters:
    ///   - values: The values. They are encoded at once, into memory.
    ///   - encoder: The encoder, such as ``JSONAPI/encoder``. The line breaks of `.prettyPrinted` are left out.
    ///   - type: The media type of the body.
    /// - Returns: The body, which ends with a line feed unless it is empty.
    public static func jsonLines<Values: Sequence>(
        _ values: Values,
        encoder: JSONEncoder = JSONEncoder(),
        type: String = "application/x-ndjson"
    ) -> HTTPBody where Values.Element: Encodable {
        do {
            var lines = Data()
            for value in values {
                // Text has no line feed in JSON, so this one is white space.
                lines += try encoder.encode(value).filter { $0 != UInt8(ascii: "\n") }
                lines.append(UInt8(ascii: "\n"))
            }
            return .data(lines, type: type)
        } catch {
            return failed(error)
        }
    }
}

extension Publisher where Output == Data {
    /// The bytes as values, one on each line: JSON Lines, also called NDJSON. Each is delivered as soon as its line has
    /// ended.
    ///
    /// A line ends with LF, or with the bytes. A CR before the LF is white space, which JSON allows around a value.
    /// Lines of white space are skipped, and so is a byte order mark at the start of a line, as of files that have been
    /// joined.
    ///
    /// Chunks are requested as by ``lines(limit:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of a line, by default Foundation's. ``JSONAPI/jsonLines(of:limit:)`` takes that of the
    ///     API. A ``/StrictJSON/StrictJSONDecoder`` is several times faster.
    ///   - limit: The maximum length of a line in bytes, without its end: by default 1 MiB.
    /// - Returns: A publisher that fails with ``RequestError/undecodableLine(_:)`` if a line cannot be decoded, with
    ///   ``RequestError/lineTooLong(limit:)``, and with the errors of the upstream. An error of the value's own
    ///   initializer that is not a `DecodingError` is passed on as it is. The call is not known here, nor what is secret
    ///   in it, so ``UndecodableLine`` shows only names that stand in the model.
    public func jsonLines<Model: Decodable, LineDecoder: TopLevelDecoder>(
        of type: Model.Type,
        decoder: LineDecoder = JSONDecoder(),
        limit: Int = 1 << 20
    ) -> AnyPublisher<Model, any Error> where LineDecoder.Input == Data {
        Pulled { LineReader(of: self, by: .jsonLines(limit), valueMaker(of: type, by: decoder)) }.eraseToAnyPublisher()
    }
}

extension LineSplitter {
    fileprivate static func jsonLines(_ limit: Int) -> Self {
        LineSplitter(ends: .lineFeed, limit: limit, tooLong: .lineTooLong(limit: limit), as: .bytes)
    }
}

/// Decodes lines, and counts them; `nil` for one of white space.
private func valueMaker<Model: Decodable, LineDecoder: TopLevelDecoder>(
    of type: Model.Type,
    by decoder: LineDecoder
) -> (Line) throws -> Model? where LineDecoder.Input == Data {
    var number = 0
    return { line in
        number += 1
        guard let line = line.bytes.json else { return nil }
        do {
            return .some(try decoder.decode(type, from: line))
        } catch let error as DecodingError {
            throw RequestError.undecodableLine(UndecodableLine(error, as: type, number: number, line))
        }
    }
}

extension Data {
    /// The bytes of a line without a byte order mark; `nil` if they are only white space.
    fileprivate var json: Data? {
        let (hasMark, isBlank) = withUnsafeBytes { bytes in
            let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            return (hasMark, bytes.dropFirst(hasMark ? 3 : 0).allSatisfy(\.isJSONSpace))
        }
        return isBlank ? nil : hasMark ? dropFirst(3) : self
    }
}

extension UInt8 {
    /// True if the byte is white space in JSON (RFC 8259, section 2).
    var isJSONSpace: Bool { isBlank || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
