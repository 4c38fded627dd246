/// A request that cannot be served: the status it is answered with, and why.
package struct HTTPFault: Error, Equatable, Sendable {
    package let status: Int
    package let reason: String
    /// Fields that belong to the answer.
    package let headers: HTTPFields

    package init(_ status: Int, _ reason: String, headers: HTTPFields = HTTPFields()) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }

    /// `{"error":true,"reason":"…"}` with the status.
    var response: ServerResponse { .error(status, reason, headers: headers) }
}
