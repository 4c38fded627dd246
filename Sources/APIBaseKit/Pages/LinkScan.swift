import Basics

/// Reads `Link` fields from their bytes, one link after another (RFC 8288, appendix B.2).
///
/// What cannot be read is passed over up to the next comma outside of quotes. The RFC's own algorithm would stop there, and lose
/// what follows.
struct LinkScan {
    /// A link with its parameters, whose names are in lower case.
    struct Entry {
        let target: String
        var parameters: [(name: String, value: String)] = []

        /// The value of the first parameter of this name. Empty if it has none.
        func value(of name: String) -> String? { parameters.first { $0.name == name }?.value }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next link that can be read; `nil` at the end.
    mutating func next() -> Entry? {
        while index < bytes.count {
            skip { $0.isBlank || $0 == UInt8(ascii: ",") }
            if let entry = entry() { return entry }
            skipToComma()
        }
        return nil
    }

    private mutating func entry() -> Entry? {
        guard take("<") else { return nil }
        let start = index
        let target = text { !"<>".utf8.contains($0) }
        guard take(">") else {
            // The comma that ends a link without its bracket may be behind this.
            index = start
            return nil
        }
        var entry = Entry(target: target)
        while true {
            skipBlanks()
            guard take(";") else { break }
            guard let parameter = parameter() else { return nil }
            entry.parameters.append(parameter)
        }
        return index == bytes.count || bytes[index] == UInt8(ascii: ",") ? entry : nil
    }

    private mutating func parameter() -> (name: String, value: String)? {
        skipBlanks()
        let name = text { !$0.isBlank && !"=;,".utf8.contains($0) }.lowercasedASCII()
        skipBlanks()
        guard take("=") else { return (name, "") }
        skipBlanks()
        // White space ends it no more than it does in the RFC; that at its end is left for ``LinkHeader``, which splits there.
        guard take("\"") else { return (name, text { !";,".utf8.contains($0) }) }
        let start = index
        guard let value = quoted() else {
            index = start
            return nil
        }
        return (name, value)
    }

    /// The text of a quoted string whose opening quote has been taken; `nil` if it does not end.
    private mutating func quoted() -> String? {
        var value: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            guard index < bytes.count else { return nil }
            value.append(bytes[index])
            index += 1
        }
        return nil
    }

    /// Goes to the next comma outside of quotes. A quote that does not end is none, nor is one behind a backslash. So there is at
    /// most one that is looked for in vain, and reading takes linear time whatever is there.
    private mutating func skipToComma() {
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
            guard take("\"") else {
                if take("\\") { _ = take("\"") } else { index += 1 }
                continue
            }
            let start = index
            if quoted() == nil { index = start }
        }
    }

    private mutating func skipBlanks() { skip(while: \.isBlank) }

    private mutating func skip(while belongs: (UInt8) -> Bool) {
        while index < bytes.count, belongs(bytes[index]) { index += 1 }
    }

    private mutating func text(while belongs: (UInt8) -> Bool) -> String {
        let start = index
        skip(while: belongs)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}
