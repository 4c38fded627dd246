import Basics

/// One directive of `Cache-Control` (RFC 9111, section 5.2): a name, and what may stand behind `=`.
struct CacheDirective: Equatable {
    /// The name in lower case.
    let name: String

    /// The argument, without the quotes it may have had; nil if there is none, or none that can be understood.
    let argument: String?

    /// Whether something stands behind the name that is no argument.
    let isMalformed: Bool

    /// The directives of one field, in their order. Commas within quotes do not part them.
    static func list(_ field: String) -> [CacheDirective] {
        field.withBytes { bytes in split(bytes).compactMap(CacheDirective.init) }
    }

    private init?(_ element: UnsafeBufferPointer<UInt8>) {
        let text = element.trimmed
        let name = text.prefix { $0.isToken }
        guard !name.isEmpty else { return nil }
        self.name = String(decoding: name, as: UTF8.self).lowercasedASCII()
        let rest = text.dropFirst(name.count)
        guard rest.first == UInt8(ascii: "=") else {
            argument = nil
            isMalformed = !rest.isEmpty
            return
        }
        argument = Self.argument(rest.dropFirst())
        isMalformed = argument == nil
    }

    /// The argument as a number of seconds; nil if it is not one.
    var seconds: TimeInterval? { argument.flatMap(DeltaSeconds.value(of:)) }

    private static func argument(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        guard bytes.first == UInt8(ascii: "\"") else {
            return bytes.allSatisfy(\.isToken) ? String(decoding: bytes, as: UTF8.self) : nil
        }
        var text: [UInt8] = []
        var index = bytes.startIndex + 1
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.endIndex { index += 1 }
            text.append(bytes[index])
            index += 1
        }
        return index == bytes.endIndex - 1 ? String(decoding: text, as: UTF8.self) : nil
    }

    /// The parts between commas. A quote that nothing closes is a byte like any other, so that it hides no directive.
    private static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
        var parts: [UnsafeBufferPointer<UInt8>] = []
        var start = 0
        var index = 0
        var mayQuote = true
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: ",") {
                parts.append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                start = index + 1
            } else if mayQuote, bytes[index] == UInt8(ascii: "\"") {
                let end = closingQuote(in: bytes, after: index)
                mayQuote = end != nil
                index = end ?? index
            }
            index += 1
        }
        return parts + [UnsafeBufferPointer(rebasing: bytes[start...])]
    }

    private static func closingQuote(in bytes: UnsafeBufferPointer<UInt8>, after quote: Int) -> Int? {
        var index = quote + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < bytes.count ? index : nil
    }
}
