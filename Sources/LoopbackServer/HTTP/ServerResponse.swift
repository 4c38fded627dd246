package import Foundation

/// The response of a handler.
package struct ServerResponse: Sendable {
    package enum Body: Sendable {
        /// Sent with a `Content-Length`.
        case data(Data)
        /// Sent in chunks as it is written; to an HTTP/1.0 client, until the connection is closed. The closure runs
        /// once on the thread of the connection, but not for HEAD. If it throws, or a write fails, the connection is
        /// reset.
        case stream(@Sendable (_ write: (Data) throws -> Void) throws -> Void)
        /// A stream with a `Content-Length`, which must be the number of bytes written.
        case sized(Int, @Sendable (_ write: (Data) throws -> Void) throws -> Void)
        /// After a status of 101: the closure speaks another protocol on the connection, which is closed when it ends.
        case switched(@Sendable (SocketConnection) throws -> Void)
    }

    package var status: Int
    /// The fields in order. The server itself sets `Date`, `Server`, `Connection` and the framing.
    package var headers: HTTPFields
    package var body: Body

    package init(status: Int = 200, headers: HTTPFields = HTTPFields(), body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package static func json(_ data: Data, status: Int = 200, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        content(data, "application/json; charset=utf-8", status, headers)
    }

    package static func text(_ text: String, status: Int = 200, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        content(Data(text.utf8), "text/plain; charset=utf-8", status, headers)
    }

    /// An error as `{"error":true,"reason":"…"}`.
    package static func error(_ status: Int, _ reason: String, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        .json(Data(#"{"error":true,"reason":\#(jsonString(reason))}"#.utf8), status: status, headers: headers)
    }

    private static func content(_ data: Data, _ type: String, _ status: Int, _ headers: HTTPFields) -> ServerResponse {
        var headers = headers
        headers["Content-Type"] = type
        return ServerResponse(status: status, headers: headers, body: .data(data))
    }

    /// The response with an entity tag. If the client has the same content already, the response is 304 (RFC 9110,
    /// section 13.1.2).
    package func withEntityTag(for request: ServerRequest) -> ServerResponse {
        guard status == 200, ["GET", "HEAD"].contains(request.method), headers["ETag"] == nil,
            case .data(let data) = body
        else { return self }
        var response = self
        let tag = "\"\(String(fnv1a(data), radix: 16))-\(data.count)\""
        response.headers["ETag"] = tag
        if request.headers.tokens(for: "If-None-Match").contains(where: { [tag, "w/\(tag)", "*"].contains($0) }) {
            (response.status, response.body) = (304, .data(Data()))
        }
        return response
    }
}

/// An error that is answered with a status and a reason.
package struct HTTPError: Error, Equatable, Sendable {
    package let status: Int
    package let reason: String
    package let headers: HTTPFields

    package init(_ status: Int, _ reason: String, headers: HTTPFields = HTTPFields()) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }

    package var response: ServerResponse { .error(status, reason, headers: headers) }
}

/// The text as a JSON string with its quotes (RFC 8259, section 7).
package func jsonString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case _ where scalar.value < 0x20: result += String(format: "\\u%04x", scalar.value)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}

/// A hash of bytes that is the same in every process (FNV-1a, 64 bits).
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
