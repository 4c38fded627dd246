import Foundation

extension ServerResponse {
    /// The answer with an entity tag; 304 for a client that has it already (RFC 9110, section 13.1.2).
    func validated(for request: ServerRequest) -> ServerResponse {
        guard status == 200, ["GET", "HEAD"].contains(request.method), headers["ETag"] == nil,
            case .data(let data) = body
        else { return self }
        var answer = self
        let tag = "\"\(String(CRC32.checksum(of: data), radix: 16))-\(data.count)\""
        answer.headers["ETag"] = tag
        if request.headers.tokens(for: "If-None-Match").contains(where: { $0 == tag || $0 == "w/\(tag)" || $0 == "*" })
        {
            (answer.status, answer.body) = (304, .data(Data()))
        }
        return answer
    }
}
