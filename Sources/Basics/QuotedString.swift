import Foundation

extension UnsafeBufferPointer<UInt8> {
    /// Reads the quoted string (RFC 9110, section 5.6.4) that begins at this place.
    ///
    /// - Returns: The text without its quotes and escapes, and the place after the closing quote; `nil` if there is no
    ///   quote at this place, or none that closes it.
    package func quotedString(at start: Int) -> (text: String, end: Int)? {
        let quote = UInt8(ascii: "\"")
        guard start < count, self[start] == quote else { return nil }
        var text: [UInt8] = []
        var index = start + 1
        while index < count {
            if self[index] == quote { return (String(decoding: text, as: UTF8.self), index + 1) }
            if self[index] == UInt8(ascii: "\\") { index += 1 }
            if index < count { text.append(self[index]) }
            index += 1
        }
        return nil
    }
}

extension String {
    /// The parts between separators that are not in a quoted string, without spaces around them.
    package func parts(at separator: Unicode.Scalar) -> [String] {
        var (parts, isQuoted, isEscaped) = ([""], false, false)
        for scalar in unicodeScalars {
            if scalar == separator, !isQuoted {
                parts.append("")
                continue
            }
            parts[parts.count - 1].unicodeScalars.append(scalar)
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && scalar == "\\" && !isEscaped
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
