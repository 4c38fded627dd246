import Basics

extension HTTPBody {
    /// A value as JSON (`application/json`), such as one to compress: `content: .json(report).compressed()`. Otherwise
    /// ``JSONAPI/json`` does the same.
    ///
    /// The ``JSONAPI/encoder`` of the request encodes it for each attempt, or a new `JSONEncoder` where there is none.
    /// If that fails, the call fails with the encoder's error before anything is sent.
    ///
    /// - Parameter value: The value. It must not be changed while a call is under way.
    /// - Returns: The body, which can be sent again.
    public static func json(_ value: some Encodable) -> HTTPBody {
        // Unchecked: it is only encoded, as the `json` of a request object.
        let value = UncheckedSendable<any Encodable>(value)
        return .encoded(type: "application/json") { try $0.encode(value.value) }
    }
}
