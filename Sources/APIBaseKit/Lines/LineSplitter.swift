/// Cuts bytes that come in chunks into lines.
///
/// Each line is made when it is asked for, so that a chunk of many short lines takes no more memory than its bytes. What a chunk
/// leaves over is kept, up to the limit.
struct LineSplitter<Line> {
    /// The ends of lines that are known.
    enum Ends {
        /// LF, CRLF or CR.
        case any
        /// LF alone. A CR before it is a part of the line.
        case lineFeed
    }

    private let ends: Ends
    private let deliversRest: Bool
    private let limit: Int
    private let tooLong: RequestError
    private let make: (UnsafeBufferPointer<UInt8>) -> Line

    private var chunk = Data()
    /// The place in the chunk that is looked at next.
    private var position = 0
    /// The beginning of the current line, from earlier chunks.
    private var beginning: [UInt8] = []
    /// Whether the last line ended with a CR: an LF behind it is a part of the same end, wherever it comes.
    private var isBehindCR = false

    /// - Parameters:
    ///   - ends: What ends a line.
    ///   - deliversRest: Whether what stands behind the last end of a line is a line, unless it is empty.
    ///   - limit: How many bytes a line may have, without its end.
    ///   - tooLong: What a longer one is.
    ///   - make: Makes a line of its bytes, which are without the end of the line.
    init(
        ends: Ends = .any,
        deliversRest: Bool = true,
        limit: Int,
        tooLong: RequestError,
        make: @escaping (UnsafeBufferPointer<UInt8>) -> Line
    ) {
        (self.ends, self.deliversRest) = (ends, deliversRest)
        (self.limit, self.tooLong, self.make) = (limit, tooLong, make)
    }

    /// Goes on with a chunk, all lines that end in the one before having been asked for.
    mutating func take(_ chunk: Data) { (self.chunk, position) = (chunk, 0) }

    /// The next line that ends in the chunk, or what is wrong with it; that is then the last.
    mutating func next() -> Result<Line, RequestError>? {
        guard !chunk.isEmpty else { return nil }
        let chunk = chunk
        let line = chunk.withUnsafeBytes { scan($0.bindMemory(to: UInt8.self)) }
        // While the next chunk is waited for, this one need not be kept.
        if line == nil { take(Data()) }
        return line
    }

    /// The line that the bytes ended with before it did; `nil` if they ended with a whole line.
    mutating func takeRest() -> Result<Line, RequestError>? {
        guard deliversRest, !beginning.isEmpty else { return nil }
        defer { beginning = [] }
        return .success(beginning.withUnsafeBufferPointer(make))
    }

    /// Lets go of all bytes.
    mutating func clear() {
        take(Data())
        beginning = []
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Line, RequestError>? {
        guard position < bytes.count else { return nil }
        if isBehindCR {
            isBehindCR = false
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
        isBehindCR = bytes[end] == Self.carriageReturn
        guard !beginning.isEmpty else { return .success(make(piece)) }
        beginning += piece
        defer { beginning = [] }
        return .success(beginning.withUnsafeBufferPointer(make))
    }

    /// The index at which the current line ends, or the chunk. A loop, since this looks at every byte.
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
