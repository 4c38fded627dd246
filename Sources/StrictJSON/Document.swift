internal import Foundation

/// A text and its tokens. Decoders and containers keep it, as they may outlive the call.
final class Document {
    let bytes: Bytes
    let tape: Tape
    let settings: DecodingSettings

    /// Missing keys for which models asked for a super decoder.
    private var absentKeys: [String] = []
    /// The bit in an ordinal that marks an index of `absentKeys`.
    private static let isAbsent: UInt32 = 0x8000_0000

    private let reading = CurrentReading.value
    /// The arrays, objects and members of dictionaries that have been read, and 64 elements each.
    private var steps: UInt32 = 0
    /// Why nothing more is read.
    private var stopped: (any Error)?

    /// Tokenizes a copy of the text, which is in UTF-8.
    init(_ text: Data, settings: DecodingSettings) throws(SyntaxError) {
        self.settings = settings
        bytes = Bytes(copying: text)
        do throws(SyntaxError) {
            tape = try Tokenizer.tokens(of: bytes)
        } catch {
            bytes.deallocate()
            throw error
        }
    }

    deinit {
        bytes.deallocate()
        tape.deallocate()
    }

    /// Counts an array, an object, a member of a dictionary, or 64 elements.
    ///
    /// - Throws: The reason of the ``StoppableReading``.
    @inline(__always) func step() throws {
        if reading != nil { try countStep() }
    }

    @inline(never) private func countStep() throws {
        steps &+= 1
        if stopped == nil, steps & 1_023 == 0 { stopped = reading?.reasonToStop() }
        if let stopped { throw stopped }
    }

    /// A null value for a member that an object does not have.
    func absent(_ key: String, in object: UInt32) -> Value {
        if absentKeys.last != key { absentKeys.append(key) }
        let ordinal = UInt32(truncatingIfNeeded: absentKeys.count - 1) | Self.isAbsent
        return Value(document: self, token: tape.count &- 1, parent: object, ordinal: ordinal)
    }

    /// The keys and indices that lead to a value, found by following the parents on the tape.
    func path(to value: Value) -> [any CodingKey] {
        var steps: [(parent: UInt32, ordinal: UInt32)] = []
        var (parent, ordinal) = (value.parent, value.ordinal)
        while parent != Token.none {
            steps.append((parent, ordinal))
            (parent, ordinal) = (tape[parent &+ 1].parent, tape[parent &+ 1].ordinal)
        }
        var path: [any CodingKey] = []
        path.reserveCapacity(steps.count + 1)
        for step in steps.reversed() {
            let container = tape[step.parent]
            if container.kind == .array {
                path.append(PathKey(index: Int(step.ordinal)))
            } else if step.ordinal & Self.isAbsent != 0 {
                path.append(PathKey(stringValue: absentKeys[Int(step.ordinal ^ Self.isAbsent)]))
            } else {
                let name = bytes.string(tape[step.ordinal])
                let isVerbatim = container.flags.contains(.verbatim)
                path.append(PathKey(stringValue: isVerbatim ? name : settings.key(name, at: path)))
            }
        }
        return path
    }

    /// The keys and indices that lead to an array or object.
    func path(to container: UInt32) -> [any CodingKey] {
        let place = tape[container &+ 1]
        return path(to: Value(document: self, token: container, parent: place.parent, ordinal: place.ordinal))
    }
}

/// One step of a path: a key of the document, or an index.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
}

extension Data {
    /// The text of a document in UTF-8, without a byte order mark.
    ///
    /// - Throws: ``SyntaxError`` if the bytes are not text in their encoding.
    func asUTF8() throws(SyntaxError) -> Data {
        let (encoding, mark) = encoding
        if encoding == .utf8 { return mark == 0 ? self : dropFirst(mark) }
        let text = dropFirst(mark)
        let unit = [.utf32BigEndian, .utf32LittleEndian].contains(encoding) ? 4 : 2
        // Foundation drops a part of a unit at the end.
        guard text.count.isMultiple(of: unit), let string = String(bytes: text, encoding: encoding) else {
            throw SyntaxError(problem: .badEncoding, offset: 0)
        }
        return Data(string.utf8)
    }

    /// The encoding, from the first four bytes (RFC 4627, section 3) or a byte order mark, and the length of that mark.
    private var encoding: (String.Encoding, mark: Int) {
        let first = withUnsafeBytes { bytes in
            func byte(_ index: Int) -> Int { index < bytes.count ? Int(bytes[index]) : -1 }
            return (byte(0), byte(1), byte(2), byte(3))
        }
        switch first {
        case (0xEF, 0xBB, 0xBF, _): return (.utf8, 3)
        case (0, 0, 0xFE, 0xFF): return (.utf32BigEndian, 4)
        // The little-endian mark of UTF-32 begins with that of UTF-16, and is read as that, as in Foundation.
        case (0xFE, 0xFF, 0, 0): return (.utf32LittleEndian, 4)
        case (0xFE, 0xFF, _, _): return (.utf16BigEndian, 2)
        case (0xFF, 0xFE, _, _): return (.utf16LittleEndian, 2)
        case (0, 0, 0, 1...): return (.utf32BigEndian, 0)
        case (1..., 0, 0, 0): return (.utf32LittleEndian, 0)
        case (0, 1..., 0, 1...), (0, 1..., -1, -1): return (.utf16BigEndian, 0)
        case (1..., 0, 1..., 0), (1..., 0, -1, -1): return (.utf16LittleEndian, 0)
        default: return (.utf8, 0)
        }
    }
}
