/// An array that leaves out elements that cannot be decoded, and reports them.
///
/// The decoding of `[Element]` fails at the first invalid element. `LenientArray<Element>` keeps the valid elements in
/// order, and lists the others with their errors:
///
/// ```swift
/// .decode(type: LenientArray<Photo>.self, decoder: JSONDecoder())
/// ```
///
/// Decoding anything but an array still fails.
public struct LenientArray<Element: Decodable>: Decodable {
    /// An element that could not be decoded.
    public struct Failure: Error {
        /// Its index in the array as it was sent.
        public let index: Int
        /// The decoder's error.
        public let underlying: any Error
    }

    /// The decoded elements, in order.
    public let elements: [Element]
    /// The elements that could not be decoded, in order.
    public let failures: [Failure]

    /// Decodes an array, element by element.
    ///
    /// - Throws: `DecodingError` if there is no array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        var failures: [Failure] = []
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                elements.append(try container.decode(Element.self))
            } catch {
                failures.append(Failure(index: index, underlying: error))
                // A container does not move past an element that it failed to decode.
                _ = try container.decode(Skipped.self)
            }
        }
        self.elements = elements
        self.failures = failures
    }
}

extension LenientArray: Sendable where Element: Sendable {}

/// Decodes from any value, and ignores it.
private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
}
