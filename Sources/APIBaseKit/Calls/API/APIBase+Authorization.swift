extension APIBase {
    /// Whether the body of a request can be sent once more.
    func canRepeatBody(of request: URLRequest) -> Bool {
        request.httpBodyStream == nil && content?.isReplayable ?? true
    }
}

extension Authorization {
    /// Whether the request has a header of that name.
    func isIn(_ request: URLRequest) -> Bool { request.value(forHTTPHeaderField: headerName) != nil }
}

extension URLRequest {
    /// Adds a header. Foundation drops one that must not be sent without a word, so it is checked before.
    mutating func add(_ name: String, _ value: String) throws(RequestError) {
        do throws(InvalidRequest) { try RequestCheck.check([name: value]) } catch { throw .invalidRequest(error) }
        setValue(value, forHTTPHeaderField: name)
    }
}
