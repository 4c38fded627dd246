extension APIBase {
    /// Sends the request with a token, and once more with another if that one is refused.
    func send(
        _ request: URLRequest,
        with source: TokenSource,
        in context: CallerContext,
        on session: @escaping () -> any HTTPSession
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        IssuedToken(source: source, refused: nil, context: context)
            .flatMap { token -> AnyPublisher<DataResponseTuple, any Error> in
                self.send(request, with: token.header, in: context, on: session)
                    .flatMap { reply -> AnyPublisher<DataResponseTuple, any Error> in
                        guard reply.response.statusCode == 401, self.canRepeatBody(of: request) else {
                            return Just(reply).setFailureType(to: (any Error).self).eraseToAnyPublisher()
                        }
                        return IssuedToken(source: source, refused: token, context: context)
                            .flatMap { self.send(request, with: $0.header, in: context, on: session) }
                            .eraseToAnyPublisher()
                    }
                    .eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }

    private func canRepeatBody(of request: URLRequest) -> Bool {
        request.httpBodyStream == nil && content?.isReplayable ?? true
    }
}

extension Authorization {
    /// Whether the request has a header of that name.
    func isIn(_ request: URLRequest) -> Bool { request.value(forHTTPHeaderField: headerName) != nil }
}

extension TokenSource.Issued {
    fileprivate var header: (name: String, value: String) { ("Authorization", "Bearer \(token.value)") }
}

extension URLRequest {
    /// Adds a header. Foundation drops one that must not be sent without a word, so it is checked before.
    mutating func add(_ name: String, _ value: String) throws(RequestError) {
        do throws(InvalidRequest) { try RequestCheck.check([name: value]) } catch { throw .invalidRequest(error) }
        setValue(value, forHTTPHeaderField: name)
    }
}
