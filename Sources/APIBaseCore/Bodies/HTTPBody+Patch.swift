import Basics

extension HTTPBody {
    /// A change of a resource as a merge patch (`application/merge-patch+json`, RFC 7396): members that are present
    /// replace those of the resource, and `null` removes them.
    ///
    /// ```swift
    /// super.init(.patch("/books/\(segment: id)", content: .mergePatch(change)))
    /// ```
    ///
    /// The ``JSONAPI/encoder`` of the request encodes it for each attempt, or a new `JSONEncoder` where there is none.
    /// If that fails, the call fails with the encoder's error before anything is sent.
    ///
    /// - Parameter change: The change, such as a struct whose properties have ``Patch``, or a ``JSONValue``. It must
    ///   not be changed while a call is under way.
    /// - Returns: The body, which can be sent again.
    public static func mergePatch(_ change: some Encodable) -> HTTPBody {
        // Unchecked: it is only encoded, as the `json` of a request object.
        let change = UncheckedSendable<any Encodable>(change)
        return .encoded(type: mergePatchType) { try $0.encode(change.value) }
    }

    /// The media type of a merge patch.
    package static let mergePatchType = "application/merge-patch+json"

    /// A change of a resource as operations (`application/json-patch+json`, RFC 6902). The server performs all of them
    /// or none.
    ///
    /// - Returns: The body, which can be sent again. With a number that is not finite, the call fails with
    ///   `EncodingError` before anything is sent.
    public static func jsonPatch(_ patch: [JSONPatch]) -> HTTPBody {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .data(try encoder.encode(patch), type: "application/json-patch+json")
        } catch {
            return failed(error)
        }
    }
}
