extension Data {
    /// The bytes of a member of this JSON object, without the space around them; `nil` if there is no such member. The
    /// text must be valid JSON, as it is where a decoder has read it.
    package func value(ofMember name: String) -> Data? {
        withUnsafeBytes { bytes in
            var scan = MemberScan(bytes: bytes)
            while let (key, value) = scan.next() {
                if bytes[key].isJSONString(name) { return Data(bytes[value]) }
            }
            return nil
        }
    }

    /// This JSON object with other values, each a JSON text, for members with these names. The other members stay as
    /// they are. `nil` if this is no object. The text must be valid JSON.
    package func settingMembers(_ values: [String: Data]) -> Data? {
        guard drop(while: { $0 <= 0x20 }).first == UInt8(ascii: "{") else { return nil }
        let kept = withUnsafeBytes { bytes in
            var scan = MemberScan(bytes: bytes)
            var kept: [Data] = []
            while let (key, value) = scan.next() {
                if values.keys.contains(where: bytes[key].isJSONString) { continue }
                kept.append(Data(bytes[key.lowerBound..<value.upperBound]))
            }
            return kept
        }
        let set = values.sorted { $0.key < $1.key }.map { name, value in
            ((try? JSONEncoder().encode(name)) ?? Data()) + Data(":".utf8) + value
        }
        return Data("{".utf8) + (kept + set).joined(separator: Data(",".utf8)) + Data("}".utf8)
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Whether these bytes are this text as a string in JSON. Only one with escapes has to be decoded to know.
    fileprivate func isJSONString(_ text: String) -> Bool {
        guard contains(UInt8(ascii: "\\")) else { return dropFirst().dropLast().elementsEqual(text.utf8) }
        // Not by equivalence: names of members are code points (RFC 8259, section 8.3).
        return (try? JSONDecoder().decode(String.self, from: Data(self)))?.utf8.elementsEqual(text.utf8) == true
    }
}

/// The members of a JSON object, each as the places of its name and its value.
private struct MemberScan {
    let bytes: UnsafeRawBufferPointer
    private var index = 0
    private var depth = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
        var name = 0..<0
        var start: Int?
        while index < bytes.count {
            let here = index
            index += 1
            switch bytes[here] {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 1, start == nil { name = here..<index }
            case UInt8(ascii: ":") where depth == 1: start = index
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                let isEnd = depth == 1
                if bytes[here] != UInt8(ascii: ",") { depth -= 1 }
                if isEnd, let start { return (name, trimmed(start..<here)) }
            default: break
            }
        }
        return nil
    }

    private mutating func skipString() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        let isSpace = { (index: Int) in " \t\r\n".utf8.contains(bytes[index]) }
        let start = range.first { !isSpace($0) } ?? range.upperBound
        let end = range.last { !isSpace($0) } ?? start
        return start..<Swift.max(start, Swift.min(end + 1, range.upperBound))
    }
}
