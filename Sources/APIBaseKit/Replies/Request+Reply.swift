extension Request where Self: APIBase {
    /// The call, awaited, with the head of its reply: ``value()`` and ``APIBase/response``.
    ///
    /// - Returns: The value, and the response that it came with.
    /// - Throws: What ``value()`` throws, and ``RequestError/nonHTTPResponse`` if the value came without a reply, as from a
    ///   `start()` that sends nothing.
    nonisolated(nonsending) public func reply() async throws -> (value: ModelType, response: HTTPURLResponse) {
        let value = try await value()
        guard let response else { throw RequestError.nonHTTPResponse }
        return (value, response)
    }
}
