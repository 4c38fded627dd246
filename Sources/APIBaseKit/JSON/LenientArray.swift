/// An array of which the elements that do not decode are left out and reported, instead of failing the whole.
///
/// `[Element]` is strict: one bad element fails the decoding. `LenientArray<Element>` keeps the good ones in order and
/// says which were bad and why:
///
/// ```swift
/// .decode(type: LenientArray<Photo>.self, decoder: JSONDecoder())
/// ```
///
/// What is not an array at all still fails.
public struct LenientArray<Element: Decodable>: Decodable {
    /// An element that did not decode.
    public struct Failure: Error {
        /// Its place in the array as it was sent, from 0.
        public let index: Int
        /// The decoder's error.
        public let underlying: any Error
    }

    /// The elements that decoded, in order.
    public let elements: [Element]
    /// The elements that did not, in order.
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
                // A container does not move past what it failed to decode; this takes anything.
                _ = try container.decode(Skipped.self)
            }
        }
        self.elements = elements
        self.failures = failures
    }
}

extension LenientArray: Sendable where Element: Sendable {}

/// Decodes from anything, and takes nothing from it.
private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
}
