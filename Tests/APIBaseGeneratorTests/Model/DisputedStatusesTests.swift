import Testing

@testable import APIBaseGenerator

/// Documents whose operations answer one status with different types.
@Suite struct DisputedStatusesTests {
    private static func response(_ status: String, _ schema: String) -> String {
        ##""\##(status)": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##(schema)"}}}}"##
    }

    private static func generated(_ first: [String], _ second: [String]) throws -> Generated {
        let members = #""code": {"type": "string"}, "message": {"type": "string"}"#
        return try Generated(
            paths: """
                {"/a": {"get": {"operationId": "a", "responses": {\(first.joined(separator: ", "))}}},
                "/c": {"post": {"operationId": "c", "responses": {\(second.joined(separator: ", "))}}}}
                """,
            schemas: """
                {"Missing": {"type": "object", "required": ["code", "message"], "properties": {\(members)}},
                "Locked": {"type": "object", "required": ["code", "message"],
                "properties": {\(members), "by": {"type": "string"}}}}
                """
        )
    }

    private static func detail(_ code: String) -> String {
        """
            public override func detail(of failure: HTTPFailure) -> (any Error)? {
        \(code)
                default: super.detail(of: failure)
                }
            }
        """
    }

    @Test func `A leaf whose type of a status is not that of another operation reads its own`() throws {
        let text = try Self.generated(
            [Self.response("404", "Missing"), Self.response("409", "Locked")],
            [Self.response("404", "Locked"), Self.response("409", "Locked")]
        ).requests
        let first = """
                    switch failure.statusCode {
                    case 404: (try? failure.decode(Missing.self)) ?? super.detail(of: failure)
            """
        let second = """
                    switch failure.statusCode {
                    case 404: (try? failure.decode(Locked.self)) ?? super.detail(of: failure)
            """
        #expect(text.contains(Self.detail(first)), "\(text)")
        #expect(text.contains(Self.detail(second)), "\(text)")
        #expect(!text.contains("409"))
    }

    @Test func `A leaf reads its own type of a status that only the default of another operation covers`() throws {
        let text = try Self.generated([Self.response("404", "Missing")], [Self.response("default", "Locked")]).requests
        #expect(text.contains("case 404: (try? failure.decode(Missing.self))"), "\(text)")
        #expect(text.contains("case 404: (try? failure.decode(Locked.self))"), "\(text)")
    }

    @Test func `A leaf has no detail(of:) if all operations agree about its statuses`() throws {
        let text = try Self.generated(
            [Self.response("404", "Missing"), Self.response("409", "Locked")],
            [Self.response("409", "Locked"), Self.response("404", "Missing")]
        ).requests
        #expect(!text.contains("detail(of"), "\(text)")
    }
}
