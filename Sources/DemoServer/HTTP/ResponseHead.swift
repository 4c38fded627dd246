import Foundation

/// The status line and header fields of a response, as bytes.
struct ResponseHead {
    private(set) var bytes: [UInt8] = []

    /// Nil where a header cannot be sent as it is.
    init?(status: Int, fields: [HTTPFields.Field]) {
        guard (100...999).contains(status), fields.allSatisfy(\.canBeSent) else { return nil }
        add("HTTP/1.1 ", String(status), " ", Self.phrase(for: status), "\r\n")
        for field in fields { add(field.name, ": ", field.value, "\r\n") }
        add("\r\n")
    }

    private mutating func add(_ pieces: String...) {
        for piece in pieces { bytes += piece.utf8 }
    }

    static func phrase(for status: Int) -> String {
        phrases[status] ?? "Status"
    }

    private static let phrases = [
        100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
        422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        505: "HTTP Version Not Supported",
    ]
}

extension HTTPFields.Field {
    /// No control character can end a line early (RFC 9110, section 5.5).
    fileprivate var canBeSent: Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
