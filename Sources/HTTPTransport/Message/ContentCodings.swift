import Basics
package import Foundation

/// The codings of a body by its `Content-Encoding` (RFC 9110, section 8.4), in the order in which they were applied.
///
/// A body in one coding that the engine knows is decoded. Any other is passed on as it came, as browsers do: storage
/// services serve whatever was once written into the field.
package struct ContentCodings: Sendable, Hashable {
    /// The names in lower case, without those that change no byte.
    private let names: [String]

    /// Words that change no byte: those of the RFC, those of Amazon's uploads, and those that confuse the field with
    /// `charset` or `Content-Transfer-Encoding`.
    private static let idle: Set = ["", "identity", "aws-chunked", "none", "utf-8", "utf8", "binary", "8bit", "7bit"]
    private static let usual: Set = ["gzip", "x-gzip", "deflate", "br", "zstd"]

    /// - Parameter field: The value of the field; nil without one.
    package init(_ field: String?) {
        names = (field ?? "").utf8.split(separator: UInt8(ascii: ","))
            .map { String(Substring($0)).trimmingCharacters(in: .whitespaces).lowercasedASCII() }
            .filter { !Self.idle.contains($0) }
    }

    /// Whether the bytes are the content itself.
    package var isEmpty: Bool { names.isEmpty }

    /// The coding that the engine decodes; nil if the body is passed on as it came.
    package var decoded: String? { names.count == 1 && Self.decodable.contains(names[0]) ? names[0] : nil }

    /// The codings in which the body is passed on; nil without any.
    package var remaining: String? { names.isEmpty || decoded != nil ? nil : names.joined(separator: ", ") }

    /// The content of a body in these codings; nil if one of them is neither `gzip` nor `deflate`, or if the body is
    /// not in it.
    package func content(of body: Data) -> Data? {
        names.reversed().reduce(Optional(body)) { body, name in
            switch name {
            case "gzip", "x-gzip": body?.gunzipped
            case "deflate": body?.inflated
            default: nil
            }
        }
    }

    /// Whether a body may still be in these codings, although engines decode the usual ones and keep the header.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body, or the first ones.
    ///   - isDelivered: Whether our engine has delivered it, which decodes what it can.
    /// - Returns: True if secrets in the body may not be found.
    package func mayStillCode(_ body: Data, isDelivered: Bool = false) -> Bool {
        guard !isEmpty, !body.isEmpty else { return false }
        if isDelivered { return decoded == nil }
        guard names.allSatisfy(Self.usual.contains) else { return true }
        if body.starts(with: [0x1F, 0x8B]) || body.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return true }
        if names.contains("deflate"), body.inflated != nil { return true }
        // Coded bytes are no text.
        return String(data: body, encoding: .utf8) == nil
    }
}

extension ResponseHead {
    /// Whether a body of this response may still be coded, so that secrets in it cannot be found.
    package func mayStillCode(_ body: Data) -> Bool {
        ContentCodings(headers["Content-Encoding"]).mayStillCode(body, isDelivered: framing != nil)
    }
}

#if !(os(Linux) || os(Android))
extension ContentCodings {
    /// The codings that Foundation decodes. Where libcurl is the engine, they are beside `ContentDecoder`.
    static let decodable: Set = ["gzip", "x-gzip", "deflate", "br"]
}
#endif
