/// Why a text is not JSON, and where: the underlying error of a `DecodingError.dataCorrupted`.
package struct SyntaxError: Error, CustomStringConvertible {
    enum Problem: String {
        case unexpectedByte = "unexpected character"
        case unexpectedEnd = "unexpected end"
        case tooDeep = "more than 512 arrays and objects inside each other"
        case badEscape = "unknown escape"
        case badSurrogate = "half of a surrogate pair"
        case badUTF8 = "not UTF-8"
        case badNumber = "malformed number"
        case badEncoding = "not text in the encoding that its first bytes announce"
    }

    let problem: Problem
    /// The place in the text, in bytes of UTF-8.
    let offset: Int

    package var description: String { "\(problem.rawValue) at byte \(offset)" }
}
