package import Foundation

/// The response of a handler.
package struct ServerResponse: Sendable {
    /// The payload.
    package enum Body: Sendable {
        /// Sent with a `Content-Length`.
        case data(Data)
        /// Sent in chunks as they are written; to an HTTP/1.0 client, until the connection is closed. The closure runs
        /// once on the connection's thread, not at all for HEAD. Where it or the write it is given throws, the
        /// connection is reset.
        case stream(@Sendable (_ write: (Data) throws -> Void) throws -> Void)
        /// The same with a `Content-Length`, of as many bytes as are written.
        case sized(Int, @Sendable (_ write: (Data) throws -> Void) throws -> Void)
    }

    package var status: Int
    /// Sent in this order. `Date`, `Server`, `Connection` and the framing are the server's own.
    package var headers: HTTPFields
    package var body: Body

    package init(status: Int = 200, headers: HTTPFields = HTTPFields(), body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// JSON that is encoded already.
    package static func json(_ data: Data, status: Int = 200, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        var headers = headers
        headers["Content-Type"] = "application/json; charset=utf-8"
        return ServerResponse(status: status, headers: headers, body: .data(data))
    }

    /// Plain text.
    package static func text(_ text: String, status: Int = 200, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        var headers = headers
        headers["Content-Type"] = "text/plain; charset=utf-8"
        return ServerResponse(status: status, headers: headers, body: .data(Data(text.utf8)))
    }

    /// `{"error":true,"reason":"…"}`, as Vapor answers.
    package static func error(_ status: Int, _ reason: String, headers: HTTPFields = HTTPFields()) -> ServerResponse {
        .json(Data(#"{"error":true,"reason":\#(jsonText(reason))}"#.utf8), status: status, headers: headers)
    }
}
