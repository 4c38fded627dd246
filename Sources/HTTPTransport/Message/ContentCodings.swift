import Basics
import Foundation

/// The codings of a body by its `Content-Encoding` (RFC 9110, section 8.4).
///
/// A body in one coding that is known here is decoded. Any other is passed on as it came, as browsers and curl's users
/// know it: storage services serve whatever was once written into the field.
package struct ContentCodings: Equatable {
    /// The names in lower case, without those that change no byte.
    private let names: [String]

    /// Words that change no byte: those of the RFC, those of Amazon's uploads, and those that confuse the field with
    /// `charset` or `Content-Transfer-Encoding`.
    private static let idle: Set = ["", "identity", "aws-chunked", "none", "utf-8", "utf8", "binary", "8bit", "7bit"]

    /// - Parameter field: The value of the field; nil without one.
    package init(_ field: String?) {
        names = (field ?? "").utf8.split(separator: UInt8(ascii: ","))
            .map { String(Substring($0)).trimmingCharacters(in: .whitespaces).lowercasedASCII() }
            .filter { !Self.idle.contains($0) }
    }

    /// The coding that the engine decodes; nil if the body is passed on as it came.
    package var decoded: String? { names.count == 1 && Self.decodable.contains(names[0]) ? names[0] : nil }

    /// The codings in which the body is passed on; nil without any.
    package var remaining: String? { names.isEmpty || decoded != nil ? nil : names.joined(separator: ", ") }
}
