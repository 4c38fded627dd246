import Basics

/// The field lines of a head as they arrived. They are checked at once, and converted to text on first use.
struct FieldBlock: Sendable, Equatable {
    /// The framing of the body by the lines (RFC 9112, section 6).
    struct Framing: Sendable {
        var contentLength: Int64?
        var isChunked = false
        var contentEncoding: String?

        /// The content coding to decode; nil if the body comes as it is.
        var coding: String? { contentEncoding.flatMap { ContentCodings($0).decoded } }
    }

    private let bytes: [UInt8]

    /// - Parameter bytes: Lines with their ends, without the status line and the empty one.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The bytes of all lines with their ends.
    var count: Int { bytes.count }

    /// The fields in their order. Folded lines are joined by a space (RFC 9112, section 5.2). Text that is not UTF-8 is
    /// read as Latin-1.
    func makeHeaders() -> HTTPHeaders {
        var headers = HTTPHeaders()
        bytes.withUnsafeBufferPointer { bytes in
            try? Self.scan(bytes) { name, value in
                guard let name else {
                    guard let last = headers.fields.popLast() else { return }
                    return headers.add(name: last.name, value: (last.value + " " + Self.text(value)).trimmed)
                }
                headers.add(name: Self.text(name), value: Self.text(value))
            }
        }
        return headers
    }

    /// The values of all fields with this name, which is in lower case, joined by `", "`; nil without one.
    ///
    /// Most calls need one or two fields, and converting all of them takes a tenth of a call's time.
    func value(of name: StaticString) -> String? {
        var joined: String?
        var isWanted = false
        bytes.withUnsafeBufferPointer { bytes in
            try? Self.scan(bytes) { field, value in
                if let field { isWanted = field.equalsIgnoringCase(name) }
                guard isWanted else { return }
                let separator = field == nil ? " " : ", "
                joined = joined.map { $0 + separator + Self.text(value) } ?? Self.text(value)
            }
        }
        return joined
    }

    /// Whether a name or a value contains this text, which is in lower case.
    func contains(_ text: StaticString) -> Bool { bytes.withUnsafeBufferPointer { $0.contains(ignoringCase: text) } }

    /// Checks every line, and that there is one length at most.
    func framing() throws(MalformedHead) -> Framing {
        var framing = Framing()
        var isFraming = false
        try bytes.withUnsafeBufferPointer { bytes throws(MalformedHead) in
            try Self.scan(bytes) { name, value throws(MalformedHead) in
                if let name {
                    isFraming = try framing.take(name, value)
                } else if isFraming {
                    throw .continuedFraming
                }
            }
        }
        if framing.isChunked, framing.contentLength != nil { throw .lengthAndCoding }
        return framing
    }

    private typealias Slice = UnsafeBufferPointer<UInt8>

    /// Calls `visit` with the name and the value of each line. A folded line has no name.
    private static func scan(
        _ bytes: Slice,
        _ visit: (Slice?, Slice) throws(MalformedHead) -> Void
    ) throws(MalformedHead) {
        var start = 0
        var isFirst = true
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var line = Slice(rebasing: bytes[start..<end])
            start = end + 1
            if line.last == UInt8(ascii: "\r") { line = Slice(rebasing: line.dropLast()) }
            guard !line.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else { throw .forbiddenByte }
            guard let first = line.first, !first.isBlank else {
                guard !isFirst else { throw .nothingToContinue }
                try visit(nil, line.trimmed)
                continue
            }
            isFirst = false
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
            let name = Slice(rebasing: line[..<colon])
            guard name.last?.isBlank != true else { throw .blankBeforeColon }
            guard !name.isEmpty, name.allSatisfy(\.isToken) else { throw .name }
            try visit(name, Slice(rebasing: line[(colon + 1)...]).trimmed)
        }
    }

    private static func text(_ bytes: Slice) -> String {
        String(valid: bytes) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension FieldBlock.Framing {
    /// Reads a field. Returns whether it frames the body.
    fileprivate mutating func take(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>
    ) throws(MalformedHead) -> Bool {
        switch name.count {
        case 14 where name.equalsIgnoringCase("content-length"):
            contentLength = try value.contentLength(agreeingWith: contentLength)
        case 17 where name.equalsIgnoringCase("transfer-encoding"):
            let codings = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            for coding in codings {
                let coding = UnsafeBufferPointer(rebasing: coding).trimmed
                guard coding.equalsIgnoringCase("chunked") else { throw .transferCoding }
                guard !isChunked else { throw .repeatedTransferCoding }
                isChunked = true
            }
        case 16 where name.equalsIgnoringCase("content-encoding"):
            let text = String(decoding: value, as: UTF8.self).lowercasedASCII()
            contentEncoding = contentEncoding.map { $0 + ", " + text } ?? text
        default: return false
        }
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The value of `Content-Length`: a number, or the same number several times in a list. It has to be `other` if
    /// the field came before.
    func contentLength(agreeingWith other: Int64?) throws(MalformedHead) -> Int64 {
        var (length, rest) = (other, self[...] as Slice?)
        while let list = rest {
            let comma = list.firstIndex(of: UInt8(ascii: ","))
            rest = comma.map { list[($0 + 1)...] }
            let digits = UnsafeBufferPointer(rebasing: list[..<(comma ?? list.endIndex)]).trimmed
            guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit),
                let number = Int64(String(decoding: digits, as: UTF8.self))
            else { throw .noLength }
            guard number == length ?? number else { throw .differentLengths }
            length = number
        }
        guard let length else { throw .noLength }
        return length
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.utf8.first?.isBlank == true { text = text.dropFirst() }
        while text.utf8.last?.isBlank == true { text = text.dropLast() }
        return String(text)
    }
}
