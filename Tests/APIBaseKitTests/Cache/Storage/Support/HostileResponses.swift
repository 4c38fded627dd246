import APIBaseKit

import Basics
import Testing

/// Bytes that are no replies, with the digest that fits them.
struct HostileResponses: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let data: Data

    /// Bytes with a head, and what they say of its length if that is another one.
    init(
        _ name: String,
        magic: String = "APIBaseKit replies\u{02}",
        length: UInt64? = nil,
        head: String,
        bodies: String = ""
    ) {
        testDescription = name
        var bytes = Array(magic.utf8)
        bytes += withUnsafeBytes(of: (length ?? UInt64(head.utf8.count)).bigEndian) { Array($0) }
        bytes += Array((head + bodies).utf8)
        data = Data(bytes + SHA256.digest(of: bytes))
    }

    /// The head of a reply with four bytes, of which one part may be another.
    static func head(_ part: String? = nil, _ value: String = "") -> String {
        let parts = [
            "method": "\"GET\"", "varying": "[]", "statusCode": "200",
            "headers": "[]", "bodyCount": "4", "requestedAt": "0", "receivedAt": "0",
            "isInvalid": "false",
        ]
        let changed = parts.merging(part.map { [$0: value] } ?? [:]) { $1 }
        return "[{" + changed.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}]"
    }

    private static func deep(_ count: Int) -> String {
        String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }

    static let all: [HostileResponses] =
        [0, 1, 100, UInt64(Int.max) - 20, UInt64(Int.max), UInt64(Int.max) + 1, .max].map { (length: UInt64) in
            HostileResponses("length \(length)", length: length, head: head(), bodies: "body")
        }
        + ["-1", "0", "99", "100", "206", "304", "600", "1000", "9223372036854775807"].map {
            HostileResponses("status \($0)", head: head("statusCode", $0), bodies: "body")
        }
        + counts.map {
            HostileResponses("body of \($0)", head: head("bodyCount", $0), bodies: "body")
        } + [
            HostileResponses("another version", magic: "APIBaseKit replies\u{01}", head: head(), bodies: "body"),
            HostileResponses("another magic", magic: "APIBaseKit Replies\u{01}", head: head(), bodies: "body"),
            HostileResponses("nothing", head: ""),
            HostileResponses("no list", head: "{}"),
            HostileResponses("half a list", head: "["),
            HostileResponses("a list of nothing", head: "[null]"),
            HostileResponses("no body", head: head()),
            HostileResponses("bodies without heads", head: "[]", bodies: "body"),
            HostileResponses("bodies that overflow", head: "[" + two + "]", bodies: "body"),
            HostileResponses("no digest", head: head("varying", #"[{"name":"cookie","value":1}]"#), bodies: "body"),
            HostileResponses("a date of another type", head: head("requestedAt", "\"now\""), bodies: "body"),
            HostileResponses("a large date", head: head("requestedAt", "18446744073709551616"), bodies: "body"),
            HostileResponses("deep", head: deep(100)),
            HostileResponses("deeper", head: deep(500)),
            HostileResponses("very deep", head: deep(1_000_000)),
            HostileResponses("deep in a part", head: head("headers", deep(100_000)), bodies: "body"),
            HostileResponses("deep without end", head: String(repeating: "[", count: 1_000_000)),
            HostileResponses("deep objects", head: String(repeating: "{\"a\":", count: 100_000)),
        ]

    private static let counts = [
        "-1", "0", "3", "5", "1e3", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    ]

    private static let two = ["9223372036854775807", "9223372036854775807"]
        .map { head("bodyCount", $0).dropFirst().dropLast() }
        .joined(separator: ",")
}
