import APIBaseKit
import Basics

/// A text that is JSON, for people to read. Keys keep their order, and numbers their digits.
struct JSONText {
    private let bytes: [UInt8]

    /// `nil` if it is not JSON.
    init?(_ text: String) {
        self.init(Data(text.utf8))
    }

    /// `nil` if it is not JSON, in UTF-8.
    init?(_ data: Data) {
        // Foundation also takes UTF-16 and a byte order mark for JSON.
        guard String(valid: data) != nil, data.first != 0xEF, !data.contains(0),
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
        else { return nil }
        bytes = Array(data)
    }

    /// The text with a line for each member, two spaces before it for each level, and colours.
    func printed(in style: Style) -> String {
        var text = ""
        var depth = 0
        var index = 0
        func breakLine() { text += "\n" + String(repeating: "  ", count: depth) }
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let next = nextByte(from: index + 1)
                text += character(byte)
                if next < bytes.count, bytes[next] == byte + 2 {
                    text += character(bytes[next])
                    index = next
                } else {
                    depth += 1
                    breakLine()
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                breakLine()
                text += character(byte)
            case UInt8(ascii: ","):
                text += ","
                breakLine()
            case UInt8(ascii: ":"): text += ": "
            case 0x09, 0x0A, 0x0D, 0x20: break
            default:
                let end = endOfScalar(from: index)
                let isKey =
                    byte == UInt8(ascii: "\"") && nextByte(from: end) < bytes.count
                    && bytes[nextByte(from: end)] == UInt8(ascii: ":")
                let scalar = String(decoding: bytes[index..<end], as: UTF8.self).withoutControls
                text += style.text(scalar, as: isKey ? .key : role(of: byte))
                index = end - 1
            }
            index += 1
        }
        return text
    }

    /// The elements of an array, or the value that is none, each on one line as it is but for white space.
    var elements: [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        let isArray = nextByte(from: 0) < bytes.count && bytes[nextByte(from: 0)] == UInt8(ascii: "[")
        var depth = 0
        var index = 0
        func end() {
            if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
            line = []
        }
        while index < bytes.count {
            let byte = bytes[index]
            var next = index + 1
            switch byte {
            case UInt8(ascii: "\""): next = endOfScalar(from: index)
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            let isFrame =
                isArray && (depth == 0 || depth == 1 && (index == nextByte(from: 0) || byte == UInt8(ascii: ",")))
            if isFrame {
                end()
            } else if ![0x09, 0x0A, 0x0D, 0x20].contains(byte) {
                line += bytes[index..<next]
            }
            index = next
        }
        end()
        return lines
    }

    private func character(_ byte: UInt8) -> String { String(Unicode.Scalar(byte)) }

    /// The index of the next byte that is no white space; the end of the text if there is none.
    private func nextByte(from index: Int) -> Int {
        bytes[index...].firstIndex { ![0x09, 0x0A, 0x0D, 0x20].contains($0) } ?? bytes.count
    }

    /// The index at which the string, number or name ends that begins here.
    private func endOfScalar(from start: Int) -> Int {
        guard bytes[start] == UInt8(ascii: "\"") else {
            let ends: [UInt8] = [0x09, 0x0A, 0x0D, 0x20] + Array(",]}".utf8)
            return bytes[start...].firstIndex { ends.contains($0) } ?? bytes.count
        }
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private func role(of first: UInt8) -> Style.Role {
        switch first {
        case UInt8(ascii: "\""): .good
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        default: .literal
        }
    }
}
