/// A line without its end.
enum Line {
    case text(String)
    case bytes(Data)

    /// As text, with U+FFFD for what is no UTF-8.
    var text: String {
        switch self {
        case .text(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .bytes(let bytes): bytes
        }
    }
}

/// Splits bytes that come in chunks into lines.
///
/// Each line is made on demand, so a chunk of many short lines takes no more memory than its bytes. The beginning of an
/// unfinished line is kept, up to the limit.
struct LineSplitter {
    /// The bytes that end a line.
    enum Ends {
        /// LF, CRLF or CR.
        case any
        /// LF only. A CR before it is part of the line.
        case lineFeed
    }

    /// The form in which lines are wanted.
    enum Form { case text, bytes }

    private let ends: Ends
    private let deliversRest: Bool
    private let limit: Int
    private let tooLong: RequestError
    private let form: Form

    private var chunk = Data()
    /// The place in the chunk that is read next.
    private var position = 0
    /// The beginning of the current line, from earlier chunks.
    private var beginning: [UInt8] = []
    /// True if the last line ended with a CR. An LF after it is part of the same end, also in the next chunk.
    private var isAfterCR = false

    /// - Parameters:
    ///   - ends: The bytes that end a line.
    ///   - deliversRest: True if the bytes after the last line end are a line too.
    ///   - limit: The maximum length of a line in bytes, without its end.
    ///   - tooLong: The error for a longer line.
    ///   - form: The form in which lines are wanted.
    init(
        ends: Ends = .any,
        deliversRest: Bool = true,
        limit: Int,
        tooLong: RequestError,
        as form: Form = .text
    ) {
        (self.ends, self.deliversRest) = (ends, deliversRest)
        (self.limit, self.tooLong, self.form) = (limit, tooLong, form)
    }

    /// Takes a chunk. ``next()`` must have returned `nil` for the previous one.
    mutating func take(_ chunk: Data) { (self.chunk, position) = (chunk, 0) }

    /// The next line that ends in the chunk. After an error there are no more lines.
    mutating func next() -> Result<Line, RequestError>? {
        guard !chunk.isEmpty else { return nil }
        let chunk = chunk
        let line = chunk.withUnsafeBytes { scan($0.bindMemory(to: UInt8.self)) }
        // Frees the chunk before the next one comes.
        if line == nil { take(Data()) }
        return line
    }

    /// The last line, if it has no end; `nil` if the bytes ended with a complete line.
    mutating func takeRest() -> Result<Line, RequestError>? {
        guard deliversRest, !beginning.isEmpty else { return nil }
        defer { beginning = [] }
        return .success(beginning.withUnsafeBufferPointer { make($0) })
    }

    /// Frees all bytes.
    mutating func clear() {
        take(Data())
        beginning = []
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Line, RequestError>? {
        guard position < bytes.count else { return nil }
        if isAfterCR {
            isAfterCR = false
            if bytes[position] == Self.lineFeed { position += 1 }
        }
        let end = end(in: bytes)
        let piece = UnsafeBufferPointer(rebasing: bytes[position..<end])
        guard piece.count <= limit - beginning.count else {
            beginning = []
            return .failure(tooLong)
        }
        guard end < bytes.count else {
            beginning += piece
            return nil
        }
        position = end + 1
        isAfterCR = bytes[end] == Self.carriageReturn
        guard !beginning.isEmpty else { return .success(make(piece)) }
        beginning += piece
        defer { beginning = [] }
        return .success(beginning.withUnsafeBufferPointer { make($0) })
    }

    private func make(_ bytes: UnsafeBufferPointer<UInt8>) -> Line {
        switch form {
        case .text: .text(String(decoding: bytes, as: UTF8.self))
        case .bytes: .bytes(Data(bytes))
        }
    }

    /// The index of the end of the current line, or of the chunk. A loop for speed, since this reads every byte.
    private func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var end = position
        while end < bytes.count {
            let byte = bytes[end]
            if byte == Self.lineFeed || (byte == Self.carriageReturn && ends == .any) { break }
            end += 1
        }
        return end
    }

    private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    private static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
}
