import Foundation

@testable import OpenAPIDocument

extension Contract {
    /// A contract with these paths and schemas, in OpenAPI 3.1.
    static func of(paths: String, schemas: String = "{}", others: String = "") throws -> Contract {
        let text = """
            {"openapi": "3.1.0", "servers": [{"url": "https://api.example.com/v1"}], "paths": \(paths),
            "components": {"schemas": \(schemas)\(others)}}
            """
        return try Contract(Document(Data(text.utf8), name: "api.json"), isSecret: { $0 == "password" })
    }

    func operation(of request: SentRequest) -> DocumentedOperation? { ContractCall(request, in: self).operation }

    func findings(in request: SentRequest) -> [ContractFinding] { ContractCall(request, in: self).findings }

    func findings(in reply: Message, status: Int, to request: SentRequest) -> [ContractFinding] {
        ContractCall(request, in: self).findings(in: reply, status: status)
    }

    func sampleReply(to request: SentRequest, echoes: Bool) -> SampleReply? {
        ContractCall(request, in: self).sampleReply(echoes: echoes)
    }

    /// The findings in a request such as `GET /books?limit=5`.
    func findings(
        _ line: String,
        headers: [String: String] = [:],
        type: String? = nil,
        body: String = ""
    ) throws -> [ContractFinding] {
        try findings(in: SentRequest(line, headers: headers, type: type, body: body))
    }

    /// The findings in a reply to a request.
    func findings(
        _ line: String,
        status: Int,
        headers: [String: String] = [:],
        type: String? = "application/json",
        body: String = ""
    ) throws -> [ContractFinding] {
        var fields = headers.map { (name: $0.key, value: $0.value) }
        if let type, !body.isEmpty { fields.append(("content-type", type)) }
        let reply = Message(headers: fields, body: Data(body.utf8))
        return try findings(in: reply, status: status, to: SentRequest(line))
    }
}

extension SentRequest {
    /// A request such as `GET /books?limit=5`, below `https://api.example.com/v1` unless the URL is whole.
    init(_ line: String, headers: [String: String] = [:], type: String? = nil, body: String = "") throws {
        let halves = line.split(separator: " ", maxSplits: 1).map(String.init)
        let text = halves[1].hasPrefix("http") ? halves[1] : "https://api.example.com/v1\(halves[1])"
        guard let url = URLComponents(string: text) else { throw URLError(.badURL) }
        var fields = headers.map { (name: $0.key, value: $0.value) }
        if let type { fields.append(("Content-Type", type)) }
        self.init(method: halves[0], url: url, message: Message(headers: fields, body: Data(body.utf8)))
    }
}
