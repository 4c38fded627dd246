import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// Objects that stand in several places of a recording.
@Suite struct DraftSchemaTests {
    private static let user = #"{"id": 7, "name": "A", "email": "a", "city": "c"}"#
    private static let other = #"{"p": 1, "q": 2, "r": 3, "s": 4, "t": 5}"#
    private static let small = #"{"status": "ok", "message": "m"}"#
    private static let tag = #"{"id": 1, "name": "n", "color": "c"}"#
    private static let comment = #"{"id": 1, "text": "t", "votes": 1, "replies": []}"#

    /// A line for each call (its method, path, status and reply, then its body), and the schemas with their members.
    static let cases: [(calls: [String], schemas: [String])] = [
        // One path noun: equal, members are missing, null for a value.
        (["GET /users 200 [\(user)]", "GET /users/7 200 \(user)"], ["User: id name email city"]),
        (
            ["GET /users 200 {\"data\": [\(user)], \"total\": 1}", "GET /users/7 200 \(user)"],
            ["User: id name email city"]
        ),
        (
            [
                "GET /users/7 200 \(user)", #"PATCH /users/7 200 {"id": 8, "name": "B", "email": null} {"name": "B"}"#,
                "GET /users/me 200 \(user)",
            ],
            ["User: id name email city?"]
        ),
        // In conflict, or with few members in common.
        ([#"GET /users 200 [{"id": "x", "name": "A", "email": "a", "city": "c"}]"#, "GET /users/7 200 \(user)"], []),
        ([#"GET /users 200 [{"id": 7, "name": "A"}]"#, "GET /users/7 200 \(user)"], []),
        // Only one place, and one within a shared one.
        (["GET /users/7 200 \(user)", "GET /users/8 200 \(user)"], []),
        (
            [
                #"GET /users/7 200 {"id": 7, "at": {"x": 1, "y": 2}}"#,
                #"PUT /users/7 200 {"id": 7, "at": {"x": 1, "y": 2}}"#,
            ],
            ["User: id at"]
        ),
        // Within another object, by its members; in a list; by another path.
        (
            ["GET /users/7 200 \(user)", #"GET /posts 200 [{"id": 1, "author": \#(user), "readers": [\#(user)]}]"#],
            ["User: id name email city"]
        ),
        (["GET /users/7 200 \(user)", "POST /users/7/block 200 \(user)"], ["User: id name email city"]),
        (
            [#"GET /users/7 200 \#(user)"#, #"GET /posts 200 [{"id": 1, "author": {"id": 7, "name": "A"}}]"#], []
        ),
        // A type that contains itself.
        (
            [#"GET /comments/1 200 {"id": 1, "text": "t", "votes": 1, "replies": [\#(comment)]}"#],
            ["Comment: id text votes replies"]
        ),
        // Small ones, and others that many objects are like, have nothing to do with each other.
        (["POST /users/7/block 200 \(small)", "POST /orders/1/cancel 200 \(small)"], []),
        ([#"POST /users 201 {"id": 1}"#, #"POST /orders 201 {"id": 1}"#], []),
        (["GET /tags 200 [\(tag)]", "GET /categories 200 [\(tag)]"], []),
        (
            [
                #"GET /tags 200 [{"id": 1, "name": "n", "createdAt": "a", "updatedAt": "b"}]"#,
                #"GET /jobs 200 [{"id": 1, "job": {"id": 1, "name": "n", "createdAt": "a", "updatedAt": "b"}}]"#,
            ],
            []
        ),
        // Failures are called so, at whatever path.
        (["GET /users/7 404 \(small)", "GET /orders/7 422 \(small)"], ["Error: status message"]),
        // What is sent: a type of its own, unless it is all of the other.
        (
            [
                "GET /users/7 200 \(user)", #"POST /users 201 \#(user) {"name": "A", "email": "a"}"#,
                #"PUT /users/7 200 \#(user) {"name": "B", "email": "b"}"#,
            ],
            ["User: id name email city", "UserBody: name email"]
        ),
        (["PUT /users/7 200 \(user) \(user)"], ["User: id name email city"]),
        // Names that two would have, and such that are no names.
        (
            [
                "GET /users 200 [\(user)]", "GET /users/7 200 \(user)", #"GET /a 200 {"user": \#(other)}"#,
                #"GET /b 200 {"user": \#(other)}"#,
            ],
            ["User: id name email city", "User2: p q r s t"]
        ),
        (["GET /gr%C3%BC%C3%9Fe 200 \(user)", "POST /gr%C3%BC%C3%9Fe 200 \(user)"], ["Item: id name email city"]),
        // The lines of an order are no orders, whatever the envelope of a list is called.
        (
            [
                #"GET /orders 200 {"items": [{"number": 1, "items": [{"sku": "a", "count": 1}]}]}"#,
                #"GET /orders/1 200 {"number": 1, "items": [{"sku": "a", "count": 1}]}"#,
            ],
            ["Order: number items"]
        ),
        // Keys of data are no members.
        (
            [#"GET /rates 200 {"2026-01-02": \#(user)}"#, #"GET /rates/1 200 {"2026-01-02": \#(user)}"#],
            ["Rate: id name email city"]
        ),
    ]

    @Test(arguments: cases)
    func `Objects of a recording that are the same are one schema, called by the path, and all replies fit`(
        calls: [String],
        schemas: [String]
    ) throws {
        let recording = DraftTests.recording(calls.map(entry))
        let text = try Draft(recording, name: "a.har", base: "https://api.example.com").document
        let found = try JSONReader.read(Data(text.utf8))["components"]?["schemas"]?.pairs ?? []
        let lines = found.map { name, schema in
            let required = schema["required"]?.array?.compactMap(\.string) ?? []
            let names = schema["properties"]?.pairs.map { required.contains($0.name) ? $0.name : "\($0.name)?" } ?? []
            return "\(name): \(names.joined(separator: " "))"
        }
        #expect(lines == schemas)
        for (name, _) in found { #expect(text.components(separatedBy: "schemas/\(name)\"").count > 2) }
        let generator = try Generator(
            try Document(Data(text.utf8), name: "a.json"),
            try Settings(name: "Shop", document: "a.json")
        )
        _ = try generator.files()
        #expect(generator.warnings.isEmpty)
        #expect(try HARFile(recording, name: "a.har").findings(against: generator.document).isEmpty)
    }

    private func entry(_ line: String) -> String {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        let texts = words[3].replacing("} {", with: "}\n{").split(separator: "\n").map(String.init)
        return DraftTests.entry(
            words[0],
            "https://api.example.com\(words[1])",
            Int(words[2]) ?? 0,
            texts[0],
            body: texts.count > 1 ? texts[1] : ""
        )
    }

    @Test func `A list refers to the schema of its elements, and what may be null to a choice`() throws {
        let entries = [
            "GET /users 200 [\(Self.user)]", #"GET /posts 200 [{"author": \#(Self.user)}, {"author": null}]"#,
        ]
        let text = try Draft(DraftTests.recording(entries.map(entry)), name: "a.har", base: nil).document
        let lines = try JSONReader.read(Data(text.utf8)).line
        let user = ##"{"$ref": "#/components/schemas/User"}"##
        #expect(lines.contains(#""items": \#(user)"#))
        #expect(lines.contains(#""author": {"oneOf": [\#(user), {"type": "null"}]}"#))
        #expect(try Generated(text).property("author") == "@Patch public var author: User?")
    }
}

extension HARFile {
    /// Where its calls differ from a document.
    fileprivate func findings(against document: Document) throws -> [ContractFinding] {
        let contract = try Contract(document, isSecret: { _ in false })
        return calls.flatMap { call in
            let request = SentRequest(method: call.method, url: call.url, message: call.request.message)
            let reply = call.reply.message
            let compared = ContractCall(request, in: contract)
            return compared.findings + compared.findings(in: reply, status: call.status)
        }
    }
}

extension HARFile.Content {
    fileprivate var message: Message {
        Message(headers: [(name: "Content-Type", value: type.text)], body: Data(text.utf8))
    }
}
