/// The values of plain scalars, by the core schema of YAML 1.2 (section 10.3), in which `no` is a text.
extension YAMLReader {
    func value(of text: String) throws(JSONReader.Problem) -> JSON {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else { return .string(text) }
        // Expressions are slow, and most texts are neither numbers nor words of YAML.
        if text.last?.isLetter == true, text.wholeMatch(of: /[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)/) != nil {
            throw problem("JSON has no “\(text)”")
        }
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return .string(text) }
        return number(text).map(JSON.number) ?? .string(text)
    }

    /// The number as JSON writes it; `nil` for another text.
    private func number(_ text: String) -> String? {
        if text.utf8.first != UInt8(ascii: "0"), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return text }
        if let match = text.wholeMatch(of: /0o([0-7]+)/) { return UInt64(match.1, radix: 8).map { "\($0)" } }
        if let match = text.wholeMatch(of: /0x([0-9a-fA-F]+)/) { return UInt64(match.1, radix: 16).map { "\($0)" } }
        guard let match = text.wholeMatch(of: /([-+]?)(?:([0-9]+)(\.[0-9]*)?|(\.[0-9]+))([eE][-+]?[0-9]+)?/) else {
            return nil
        }
        let whole = match.2.map { $0.drop { $0 == "0" } } ?? ""
        let fraction = match.3 ?? match.4 ?? ""
        let sign = match.1 == "-" ? "-" : ""
        return sign + (whole.isEmpty ? "0" : whole) + (fraction == "." ? "" : fraction) + (match.5 ?? "")
    }
}
