import Basics

extension Publisher where Output == Data {
    /// The bytes as values, one on each line: JSON Lines, also called NDJSON. Each comes as soon as the end of its line has.
    ///
    /// A line ends with LF, or with the bytes; a CR before the LF is white space, as all JSON may have around it. Lines of white
    /// space are skipped.
    ///
    /// Chunks are asked for as with ``lines(limit:)``. A loop over `values` whose task is cancelled ends without an error: say
    /// `try Task.checkCancellation()` after it.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of a line: a new one of Foundation's by default, since bytes know of no API;
    ///     ``JSONAPI/jsonLines(of:limit:)`` takes that of the API. A ``/StrictJSON/StrictJSONDecoder`` is several times faster.
    ///   - limit: How many bytes a line may have, without its end: by default 1 MiB.
    /// - Returns: A publisher that fails with ``RequestError/undecodableLine(_:)`` if a line cannot be read, with
    ///   ``RequestError/lineTooLong(limit:)``, and with whatever upstream fails with. An error of the value's own
    ///   initialiser that is no `DecodingError` comes out as it is.
    public func jsonLines<Model: Decodable, LineDecoder: TopLevelDecoder>(
        of type: Model.Type,
        decoder: LineDecoder = JSONDecoder(),
        limit: Int = 1 << 20
    ) -> AnyPublisher<Model, any Error> where LineDecoder.Input == Data {
        Deferred {
            var number = 0
            return split(
                by: LineSplitter(ends: .lineFeed, limit: limit, tooLong: .lineTooLong(limit: limit)) { Data($0) }
            )
            .tryCompactMap { line -> Model? in
                number += 1
                guard line.contains(where: { !$0.isJSONSpace }) else { return nil }
                do {
                    return .some(try decoder.decode(type, from: line))
                } catch let error as DecodingError {
                    throw RequestError.undecodableLine(UndecodableLine(error, as: type, number: number, line))
                }
            }
        }
        .eraseToAnyPublisher()
    }
}

extension UInt8 {
    /// Whether the byte is white space in JSON (RFC 8259, section 2).
    fileprivate var isJSONSpace: Bool { isBlank || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
