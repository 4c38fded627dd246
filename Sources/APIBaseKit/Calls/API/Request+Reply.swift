import Basics
import HTTPTransport

extension Request where Self: APIBase {
    /// The call, awaited, with the head of its reply: as ``value()``, and the response with which the value came.
    ///
    /// - Returns: The value, and the response that it came with.
    /// - Throws: What ``value()`` throws, and ``RequestError/nonHTTPResponse`` if the value came without a reply, as from a
    ///   `start()` that sends nothing.
    nonisolated(nonsending) public func reply() async throws -> (value: ModelType, response: HTTPURLResponse) {
        try Task.checkCancellation()
        let recorder = ReplyRecorder()
        let value = try await CallLocals.with(HeadRecorder.self, recorder) { start() }.firstValue()
        guard let response = recorder.head.withLock({ $0 })?.httpURLResponse else { throw RequestError.nonHTTPResponse }
        return (value, response)
    }
}
