import Basics

/// The framing of a request body (RFC 9112, section 6).
enum RequestFraming: Equatable {
    case none
    case length(Int)
    case chunked

    /// Refuses everything that two parsers could read differently.
    init(_ head: RequestHead, limits: HTTPLimits) throws(HTTPError) {
        let lengths = head.fields.values(for: "Content-Length")
        let codings = head.fields.values(for: "Transfer-Encoding")
        guard codings.isEmpty else {
            guard lengths.isEmpty else {
                throw HTTPError(400, "The request has both Content-Length and Transfer-Encoding.")
            }
            guard head.version == "1.1" else { throw HTTPError(400, "HTTP/1.0 has no Transfer-Encoding.") }
            let names = head.fields.tokens(for: "Transfer-Encoding")
            guard names.allSatisfy({ $0 == "chunked" }) else {
                throw HTTPError(501, "The only supported transfer coding is \"chunked\".")
            }
            guard codings.count == 1, names.count == 1 else {
                throw HTTPError(400, "Transfer-Encoding does not name \"chunked\" once.")
            }
            self = .chunked
            return
        }
        guard let text = lengths.first else {
            self = .none
            return
        }
        guard lengths.count == 1 else { throw HTTPError(400, "The request has more than one Content-Length.") }
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
            throw HTTPError(400, "Content-Length is not a number.")
        }
        guard let length = Int(text), length <= limits.bodyBytes else { throw HTTPError.bodyTooLarge(limits) }
        self = length == 0 ? .none : .length(length)
    }
}

extension HTTPError {
    static func bodyTooLarge(_ limits: HTTPLimits) -> HTTPError {
        HTTPError(413, "The body is longer than \(limits.bodyBytes) bytes.")
    }
}

/// Decodes a chunked body that arrives in pieces of any size (RFC 9112, section 7.1). Trailer fields are checked and
/// dropped.
struct ChunkedDecoder {
    private enum Phase: Equatable {
        case size
        case data(Int)
        case dataEnd
        case trailers
    }

    /// The maximum length of a size line with its extensions.
    static let sizeLineBytes = 1_024

    private(set) var body: [UInt8] = []

    private let limits: HTTPLimits
    private var phase = Phase.size
    private var line: [UInt8] = []
    private var trailerLines: [[UInt8]] = []
    private var trailerBytes = 0

    init(limits: HTTPLimits) { self.limits = limits }

    /// Decodes more bytes. `nil` until the end of the body; then the bytes of the next request.
    mutating func consume(_ bytes: [UInt8]) throws(HTTPError) -> ArraySlice<UInt8>? {
        var rest = bytes[...]
        while !rest.isEmpty {
            if case .data(let left) = phase {
                let piece = rest.prefix(left)
                body += piece
                rest = rest.dropFirst(piece.count)
                phase = piece.count == left ? .dataEnd : .data(left - piece.count)
            } else if let line = try nextLine(&rest), try end(line) {
                return rest
            }
        }
        return nil
    }

    private mutating func nextLine(_ rest: inout ArraySlice<UInt8>) throws(HTTPError) -> [UInt8]? {
        guard let byte = rest.popFirst() else { return nil }
        line.append(byte)
        if phase == .dataEnd, line.count > 2 || byte != (line.count == 1 ? 0x0D : 0x0A) {
            throw HTTPError(400, "A chunk is longer than its size.")
        }
        if phase == .size, line.count > Self.sizeLineBytes { throw HTTPError(400, "A chunk-size line is too long.") }
        if phase == .trailers {
            trailerBytes += 1
            guard trailerBytes <= limits.headerBytes, trailerLines.count <= limits.headerCount else {
                throw HTTPError(431, "The trailer fields are too large.")
            }
        }
        let hadReturn = line.count > 1 && line[line.count - 2] == 0x0D
        guard byte == 0x0A || hadReturn else { return nil }
        guard byte == 0x0A, hadReturn else { throw HTTPError(400, "A line of the chunked body does not end in CRLF.") }
        defer { line = [] }
        return line.dropLast(2)
    }

    /// - Returns: Whether it was the last line.
    private mutating func end(_ line: [UInt8]) throws(HTTPError) -> Bool {
        switch phase {
        case .size:
            let size = try Self.size(line)
            guard size <= limits.bodyBytes - body.count else { throw HTTPError.bodyTooLarge(limits) }
            phase = size == 0 ? .trailers : .data(size)
        case .dataEnd: phase = .size
        case .trailers where line.isEmpty:
            _ = try HTTPFields(lines: trailerLines)
            return true
        case .trailers: trailerLines.append(line)
        case .data: break
        }
        return false
    }

    private static func size(_ line: [UInt8]) throws(HTTPError) -> Int {
        let digits = line.prefix(while: \.isASCIIHexDigit)
        let after = line.dropFirst(digits.count).drop(while: \.isBlank)
        guard !digits.isEmpty, after.isEmpty || after.first == UInt8(ascii: ";"), !after.contains(0) else {
            throw HTTPError(400, "A chunk size is not a hexadecimal number.")
        }
        // Sixteen digits would overflow, and are above every limit.
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard significant.count < 16 else { return Int.max }
        return significant.reduce(0) { $0 << 4 | Int($1.hexadecimalValue ?? 0) }
    }
}
