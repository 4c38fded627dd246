import Foundation
import Testing

@testable import OpenAPIDocument

/// Changes in calls and replies that fit a document: each is found, at its place.
@Suite struct DriftTests {
    private let contract: Contract

    init() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appendingPathComponent("JSONPlaceholderTests/openapi.json")
        contract = try Contract(Document(Data(contentsOf: file), name: "openapi.json"), isSecret: { _ in false })
    }

    /// A request of each operation, with a body if it has one.
    private var requests: [SentRequest] {
        get throws {
            try contract.operations.map { operation in
                let path = PathTemplate(operation.path).pieces.map { piece in
                    if case .text(let text) = piece { text } else { "1" }
                }
                let media = operation.node["requestBody"]?.resolved(in: contract.root)?["content"]?["application/json"]
                let body = media.map { contract.sample($0, $0["schema"], .request).line } ?? ""
                let line = "\(operation.method) https://jsonplaceholder.typicode.com\(path.joined())"
                return try SentRequest(line, type: body.isEmpty ? nil : "application/json", body: body)
            }
        }
    }

    private func reply(to request: SentRequest) throws -> (status: Int, message: Message, json: JSON) {
        let reply = try #require(contract.sampleReply(to: request, echoes: false))
        let message = Message(headers: reply.headers, body: reply.body)
        return (reply.status, message, try JSONReader.read(reply.body))
    }

    @Test func `Requests and replies made of the document fit it`() throws {
        for request in try requests {
            #expect(contract.findings(in: request) == [])
            let (status, message, _) = try reply(to: request)
            #expect(contract.findings(in: message, status: status, to: request) == [])
        }
    }

    @Test func `Each change of a request is found`() throws {
        var count = 0
        for request in try requests {
            func expect(_ deviation: Deviation, _ change: (inout SentRequest) -> Void) {
                var changed = request
                change(&changed)
                #expect(contract.findings(in: changed).map(\.deviation).contains(deviation), "\(deviation)")
                count += 1
            }
            let path = "\(request.url.percentEncodedPath)/zzz/zzz"
            expect(.undocumentedOperation("\(request.method) \(path)")) { $0.url.percentEncodedPath = path }
            expect(.undocumentedParameter("zzz")) { $0.url.percentEncodedQuery = "zzz=1" }
            guard let body = request.message.body, !body.isEmpty else {
                let type = [(name: "Content-Type", value: "application/json")]
                expect(.undocumentedBody) { $0.message = Message(headers: type, body: Data("{}".utf8)) }
                continue
            }
            expect(.missingBody) { $0.message = Message(headers: [], body: Data()) }
            let text = [(name: "Content-Type", value: "text/plain")]
            expect(.undocumentedMediaType("text/plain")) { $0.message = Message(headers: text, body: body) }
            for (deviation, changed) in try JSONReader.read(body).drifts {
                let type = [(name: "Content-Type", value: "application/json")]
                expect(deviation) { $0.message = Message(headers: type, body: Data(changed.line.utf8)) }
            }
        }
        #expect(count > 100)
    }

    @Test func `Each change of a reply is found`() throws {
        var count = 0
        for request in try requests {
            let (status, message, json) = try reply(to: request)
            func expect(_ deviation: Deviation, _ status: Int, _ message: Message) {
                let findings = contract.findings(in: message, status: status, to: request)
                #expect(findings.map(\.deviation).contains(deviation), "\(deviation): \(findings)")
                count += 1
            }
            expect(.undocumentedStatus(299), 299, message)
            let page = Message(headers: [(name: "Content-Type", value: "text/html")], body: Data("<p>".utf8))
            expect(.undocumentedMediaType("text/html"), status, page)
            for (deviation, changed) in json.drifts {
                let type = [(name: "Content-Type", value: "application/json")]
                expect(deviation, status, Message(headers: type, body: Data(changed.line.utf8)))
            }
        }
        #expect(count > 200)
    }
}

extension JSON {
    /// The value with one change each, and how that deviates: another type, null, a member too many, a renamed one.
    fileprivate var drifts: [(deviation: Deviation, json: JSON)] { drifts(at: "#") { $0 } }

    private func drifts(at place: String, _ whole: (JSON) -> JSON) -> [(deviation: Deviation, json: JSON)] {
        var drifts: [(deviation: Deviation, json: JSON)] = []
        switch self {
        case .array(let elements):
            if let first = elements.first {
                drifts += first.drifts(at: "\(place)/0") { whole(.array([$0] + elements.dropFirst())) }
            }
        case .object(let members):
            if !members.names.isEmpty {
                drifts.append((.unknownMember("\(place)/zzz"), whole(with("zzz", .bool(true)))))
            }
            for name in members.names {
                let renamed = JSON.members(pairs.map { ($0.name == name ? "zzz" : $0.name, $0.value) })
                drifts.append((.unknownMember("\(place)/zzz"), whole(renamed)))
                drifts += members[name]?.drifts(at: "\(place)/\(name)") { whole(with(name, $0)) } ?? []
            }
        default:
            drifts.append((.body(place), whole(.array([.bool(true)]))))
            drifts.append((.body(place), whole(.null)))
        }
        return drifts
    }

    private func with(_ name: String, _ value: JSON) -> JSON {
        var members = object ?? JSON.Members()
        members[name] = value
        return .object(members)
    }
}
