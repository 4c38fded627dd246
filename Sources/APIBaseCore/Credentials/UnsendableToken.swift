import HTTPTransport

// A token that cannot be sent is no token: a refresh that brings one fails, and a stored one counts as refused.
// Otherwise every call would fail, also in other processes, until somebody removes it.

extension String {
    /// Why this cannot be sent as an access token; `nil` if it can (RFC 6749, appendix A.12; RFC 9110, section 5.5).
    package var tokenProblem: TransportError.InvalidRequest.Problem? {
        if isEmpty { return .missing }
        if let byte = utf8.first(where: { !(0x20..<0x7F ~= $0) }) { return .forbiddenByte(byte) }
        return hasPrefix(" ") || hasSuffix(" ") ? .surroundingWhitespace : nil
    }

    /// - Throws: ``RequestError/invalidRequest(_:)`` if this cannot be sent as an access token.
    package func checkAsToken() throws {
        if let tokenProblem { throw RequestError.invalidRequest(.init(.token, tokenProblem)) }
    }
}
