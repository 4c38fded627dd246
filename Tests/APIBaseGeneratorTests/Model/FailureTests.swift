import Testing

@testable import APIBaseGenerator

/// The failures that a document describes.
@Suite struct FailureTests {
    private static func response(_ status: String, _ schema: String) -> String {
        ##""\##(status)": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##(schema)"}}}}"##
    }

    private static let schemas = """
        {"Problem": {"type": "object", "properties": {"title": {"type": "string"}}},
        "Invalid": {"type": "object", "properties": {"fields": {"type": "array", "items": {"type": "string"}}}},
        "Reason": {"type": "string", "enum": ["busy"]}}
        """

    private func document(_ operations: [[String]]) throws -> String {
        let paths = operations.enumerated().map { index, responses in
            #""/\#(index)": {"get": {"operationId": "x\#(index)", "responses": {\#(responses.joined(separator: ", "))}}}"#
        }
        return try Generated(paths: "{\(paths.joined(separator: ", "))}", schemas: Self.schemas).document
    }

    @Test(
        arguments: [
            (["404"], "case 404: try? decode(Problem.self)"), (["404", "409"], "case 404, 409: try?"),
            (["4XX"], "case 400..<500: try?"), (["4xx", "503"], "case 400..<500, 503: try?"),
            (["default"], "{ try? decode(Problem.self) }"),
        ]
    )
    func `The property of a failure is nil for another status than those of the document`(
        statuses: [String],
        code: String
    ) throws {
        let text = try document([statuses.map { Self.response($0, "Problem") }])
        #expect(text.contains(code), "\(text)")
    }

    @Test func `A failure for all other statuses is nil for those that have another failure`() throws {
        let text = try document([
            [
                Self.response("422", "Invalid"), Self.response("5XX", "Invalid"), Self.response("503", "Problem"),
                Self.response("default", "Problem"),
            ]
        ])
        #expect(
            text.contains(
                """
                    public var shopInvalid: Invalid? {
                        switch statusCode {
                        case 422, 500..<503, 504..<600: try? decode(Invalid.self)
                        default: nil
                        }
                    }
                """
            ),
            "\(text)"
        )
        #expect(text.contains("case 300..<422, 423..<500, 503: try? decode(Problem.self)"), "\(text)")
    }

    @Test func `A failure of several operations is read for the statuses of all of them`() throws {
        let text = try document([[Self.response("404", "Problem")], [Self.response("409", "Problem")]])
        #expect(text.contains("case 404, 409: try? decode(Problem.self)"), "\(text)")
    }

    @Test func `The class of the document reads the failures of fewer statuses first, and no enumerations`() throws {
        let text = try document([
            [
                Self.response("default", "Problem"), Self.response("422", "Invalid"), Self.response("503", "Reason"),
            ]
        ])
        #expect(
            text.contains(
                """
                    open override func detail(of failure: HTTPFailure) -> (any Error)? {
                        if let error = failure.shopInvalid { return error }
                        if let error = failure.shopProblem { return error }
                        return super.detail(of: failure)
                    }
                """
            ),
            "\(text)"
        )
    }

    @Test func `A document without failures has no detail(of:)`() throws {
        #expect(try !document([["\"200\": {}"]]).contains("detail(of"))
    }
}
