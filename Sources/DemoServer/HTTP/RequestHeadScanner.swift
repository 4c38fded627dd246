/// Finds the end of a request head in bytes that come in pieces of any size, and refuses what no later byte can mend.
///
/// Lines end in CRLF and in nothing else: a lone CR or LF means different things to different parsers, which is what
/// request smuggling lives on (RFC 9112, sections 2.2 and 11.2).
struct RequestHeadScanner {
    private let limits: HTTPLimits
    private var lineStart = 0
    private var headerStart: Int?
    private var lines = 0
    private var scanned = 0

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// Looks at what has come since the last call. `bytes` begins with the first byte of the request line.
    ///
    /// - Returns: The length of the head with its empty line, nil where more has to come.
    mutating func headLength(in bytes: [UInt8]) throws(HTTPFault) -> Int? {
        while scanned < bytes.count {
            let index = scanned
            let byte = bytes[index]
            try checkSize(at: index)
            scanned += 1
            if index > lineStart, bytes[index - 1] == 0x0D, byte != 0x0A {
                throw HTTPFault(400, "The request head has a carriage return without a line feed.")
            }
            if byte == 0 { throw HTTPFault(400, "The request head has a zero byte.") }
            guard byte == 0x0A else { continue }
            guard index > lineStart, bytes[index - 1] == 0x0D else {
                throw HTTPFault(400, "The request head has a line feed without a carriage return.")
            }
            if index - lineStart == 1 { return scanned }
            try endLine(after: index)
        }
        return nil
    }

    private func checkSize(at index: Int) throws(HTTPFault) {
        if let headerStart {
            guard index - headerStart < limits.headerBytes else {
                throw HTTPFault(431, "The header fields are longer than \(limits.headerBytes) bytes.")
            }
        } else if index >= limits.requestLineBytes {
            throw HTTPFault(414, "The request line is longer than \(limits.requestLineBytes) bytes.")
        }
    }

    private mutating func endLine(after index: Int) throws(HTTPFault) {
        lineStart = index + 1
        if headerStart == nil {
            headerStart = lineStart
        } else {
            lines += 1
            guard lines <= limits.headerCount else {
                throw HTTPFault(431, "There are more than \(limits.headerCount) header fields.")
            }
        }
    }
}
