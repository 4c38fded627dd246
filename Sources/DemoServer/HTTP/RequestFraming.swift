/// The framing of a request body, by which its end is found (RFC 9112, section 6).
enum RequestFraming: Equatable {
    case none
    case length(Int)
    case chunked

    /// Refuses whatever two parsers could read in two ways.
    init(_ head: RequestHead, limits: HTTPLimits) throws(HTTPFault) {
        let lengths = head.fields.values(for: "Content-Length")
        let codings = head.fields.values(for: "Transfer-Encoding")
        guard codings.isEmpty else {
            guard lengths.isEmpty else {
                throw HTTPFault(400, "The request has both Content-Length and Transfer-Encoding.")
            }
            guard head.version == "1.1" else { throw HTTPFault(400, "HTTP/1.0 has no Transfer-Encoding.") }
            let names = head.fields.tokens(for: "Transfer-Encoding")
            guard names.allSatisfy({ $0 == "chunked" }) else {
                throw HTTPFault(501, "The only transfer coding understood here is \"chunked\".")
            }
            guard codings.count == 1, names.count == 1 else {
                throw HTTPFault(400, "Transfer-Encoding does not say \"chunked\" once.")
            }
            self = .chunked
            return
        }
        guard let text = lengths.first else {
            self = .none
            return
        }
        guard lengths.count == 1 else { throw HTTPFault(400, "The request has more than one Content-Length.") }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw HTTPFault(400, "Content-Length is not a number.")
        }
        guard let length = Int(text), length <= limits.bodyBytes else { throw HTTPFault.bodyTooLarge(limits) }
        self = length == 0 ? .none : .length(length)
    }
}

extension HTTPFault {
    static func bodyTooLarge(_ limits: HTTPLimits) -> HTTPFault {
        HTTPFault(413, "The body is longer than \(limits.bodyBytes) bytes.")
    }
}
