import APIBaseKit
import Basics
import Foundation

/// Values that have turned out to be secret, and how they are removed from where nobody expected them.
struct Secrets: Sendable {
    /// Fewer bytes could be a part of anything.
    private static let leastBytes = 6

    /// By the first byte.
    private var values: [UInt8: Set<[UInt8]>] = [:]

    var isEmpty: Bool { values.isEmpty }

    /// Remembers a value, if it is long enough, and its base64 in the usual alphabets, with padding and without.
    mutating func insert(_ value: some Collection<UInt8>) {
        guard value.count >= Self.leastBytes, !value.elementsEqual(Redaction.marker.utf8) else { return }
        let encoded = Data(value).base64EncodedString()
        let bare = String(encoded.prefix { $0 != "=" })
        let forURLs = bare.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        for bytes in [Array(value)] + [encoded, bare, forURLs].map({ Array($0.utf8) }) {
            if let first = bytes.first { values[first, default: []].insert(bytes) }
        }
    }

    mutating func formUnion(_ others: Secrets) {
        values.merge(others.values) { $0.union($1) }
    }

    /// The text without any of the values.
    func removed(from text: String) -> String {
        guard !isEmpty else { return text }
        let bytes = Array(text.utf8)
        let clean = removed(from: bytes)
        return clean == bytes ? text : String(decoding: clean, as: UTF8.self)
    }

    /// The bytes without any of the values, however they are escaped.
    func removed(from text: [UInt8]) -> [UInt8] {
        guard !isEmpty else { return text }
        let marker = Array(Redaction.marker.utf8)
        let beginnings = ByteSet(Array(values.keys) + Array("%\\&".utf8))
        var clean: [UInt8] = []
        var copied = 0
        var index = beginnings.firstIndex(in: text, from: 0)
        while index < text.count {
            let end = endOfValue(in: text, from: index)
            if let end {
                clean += text[copied..<index]
                clean += text.isNumber(index..<end) ? [UInt8(ascii: "0")] : marker
                copied = end
            }
            index = beginnings.firstIndex(in: text, from: end ?? index + 1)
        }
        return copied == 0 ? text : clean + text[copied...]
    }

    /// Where the value ends that begins at `index`; nil if none does. The longest counts, so that nothing is left of one
    /// that has another at its beginning.
    private func endOfValue(in text: [UInt8], from index: Int) -> Int? {
        let plain = values[text[index]]
        let escaped = text.escapeSequence(at: index)?.bytes.first.flatMap { values[$0] }
        guard plain != nil || escaped != nil else { return nil }
        return [plain, escaped].lazy.compactMap(\.self).joined().compactMap { text.end(of: $0, from: index) }.max()
    }
}

extension [UInt8] {
    /// Where the value ends that is spelled out at `start`, with any of its bytes escaped as URLs, forms, JSON and HTML
    /// do; nil if it is not there.
    fileprivate func end(of value: [UInt8], from start: Int) -> Int? {
        var (index, place) = (start, 0)
        while place < value.count {
            guard index < count else { return nil }
            if let (bytes, length) = escapeSequence(at: index), value[place...].starts(with: bytes) {
                place += bytes.count
                index += length
            } else if self[index] == value[place] || (self[index] == UInt8(ascii: "+") && value[place] == 0x20) {
                place += 1
                index += 1
            } else {
                return nil
            }
        }
        return index
    }

    /// What the escape at this place stands for, and how long it is.
    fileprivate func escapeSequence(at index: Int) -> (bytes: [UInt8], length: Int)? {
        switch self[index] {
        case UInt8(ascii: "%"): number(16, at: index + 1, digits: 2).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "\\"): index + 1 < count ? jsonEscape(at: index) : nil
        case UInt8(ascii: "&"): htmlEscape(at: index)
        default: nil
        }
    }

    private func jsonEscape(at index: Int) -> (bytes: [UInt8], length: Int)? {
        let letter = self[index + 1]
        if letter == UInt8(ascii: "u") {
            guard let high = number(16, at: index + 2, digits: 4) else { return nil }
            if let scalar = Unicode.Scalar(high) { return (Array(String(scalar).utf8), 6) }
            guard index + 7 < count, self[index + 6] == UInt8(ascii: "\\"), self[index + 7] == letter,
                let low = number(16, at: index + 8, digits: 4), low >= 0xDC00, high >= 0xD800,
                let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            else { return nil }
            return (Array(String(scalar).utf8), 12)
        }
        let meanings: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "b"): 8,
            UInt8(ascii: "f"): 12,
        ]
        if let meaning = meanings[letter] { return ([meaning], 2) }
        return "\"\\/".utf8.contains(letter) ? ([letter], 2) : nil
    }

    private func htmlEscape(at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard let end = self[index...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: self[(index + 1)..<end], as: UTF8.self)
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let text = named[name] { return (Array(text.utf8), end - index + 1) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
            let scalar = Unicode.Scalar(number)
        else { return nil }
        return (Array(String(scalar).utf8), end - index + 1)
    }

    private func number(_ radix: Int, at index: Int, digits: Int) -> UInt32? {
        guard index + digits <= count else { return nil }
        let text = self[index..<(index + digits)]
        guard text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: text, as: UTF8.self), radix: radix)
    }

    /// Whether a number of JSON stands there on its own: what takes its place must be one too.
    fileprivate func isNumber(_ range: Range<Int>) -> Bool {
        guard self[range].allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return false }
        let before = self[..<range.lowerBound].last { !$0.isWhiteSpace }
        let after = self[range.upperBound...].first { !$0.isWhiteSpace }
        return [":", ",", "["].contains(before.map { Character(Unicode.Scalar($0)) })
            && [",", "]", "}"].contains(after.map { Character(Unicode.Scalar($0)) })
    }
}
