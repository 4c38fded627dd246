import TestTiers
import Testing

@testable import APIBaseGenerator

@Suite(.limited) struct ChangesTests {
    private static let document = ##"""
        {"openapi": "3.0.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.example/v1"}],
        "security": [{"token": []}],
        "paths": {
        "/pets/{id}": {"get": {"operationId": "getPet", "tags": ["pets"], "parameters": [
        {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
        {"name": "limit", "in": "query", "schema": {"type": "integer"}},
        {"name": "owner", "in": "query", "required": true, "schema": {"type": "string"}},
        {"name": "page", "in": "query", "required": true, "schema": {"type": "integer", "default": 1}}],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}}},
        "/orders": {"get": {"operationId": "listOrders", "summary": "All", "tags": ["orders"], "responses": {"204": {"description": ""}}}}},
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}, "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "question": {"type": "apiKey", "in": "query", "name": "q"}, "cookie": {"type": "apiKey", "in": "cookie", "name": "c"}},
        "schemas": {"Pet": {"required": ["id"], "properties": {"id": {"type": "integer", "format": "int64"}, "name": {"type": "string"},
        "status": {"type": "string", "enum": ["open", "sold"]},
        "food": {"oneOf": [{"$ref": "#/components/schemas/Fish"}, {"$ref": "#/components/schemas/Milk"}]}}},
        "Fish": {"required": ["fins"], "properties": {"fins": {"type": "integer"}}},
        "Milk": {"required": ["fat"], "properties": {"fat": {"type": "integer"}}}, "Hay": {"required": ["dry"], "properties": {"dry": {"type": "boolean"}}}}}}
        """##

    private static func lines(from old: String = document, to new: String) throws -> [String] {
        let texts = try [old, new].map { try Generated($0).files.filter { !$0.key.hasSuffix("API.swift") } }
        var plan = OutputFolder.Plan()
        plan.old = texts[0].sorted { $0.key < $1.key }.map(\.value)
        plan.new = texts[1].sorted { $0.key < $1.key }.map(\.value)
        plan.written = plan.old == plan.new ? [] : [("all", "")]
        return Changes(plan).lines
    }

    /// A text of the document, the text in its place, what breaks callers, and what does not.
    @Test(
        arguments: [
            (#""open", "sold""#, #""open", "sold", "lost""#, [], ["new: Pet.Status.lost"]),
            (#""open", "sold""#, #""open""#, ["gone: Pet.Status.sold"], []),
            (#""open", "sold""#, #""open", "SOLD""#, [], [#"changed: Pet.Status.sold: "sold" → "SOLD""#]),
            (
                ##"{"$ref": "#/components/schemas/Milk"}]"##,
                ##"{"$ref": "#/components/schemas/Milk"}, {"$ref": "#/components/schemas/Hay"}]"##, [],
                ["new: Hay", "new: Pet.Food.hay, which a switch over all cases without a default needs"]
            ),
            (
                ##", {"$ref": "#/components/schemas/Milk"}"##, "",
                ["gone: Milk", "gone: Pet.Food", "changed: Pet.food: Food? → Fish?"], []
            ),
            (
                ##"{"$ref": "#/components/schemas/Milk"}]"##, ##"{"$ref": "#/components/schemas/Hay"}]"##,
                ["gone: Milk", "gone: Pet.Food.milk"],
                ["new: Hay", "new: Pet.Food.hay, which a switch over all cases without a default needs"]
            ),
            (
                "/v1", "/v2", [],
                ["changed: ShopDocument.server: \"https://shop.example/v1\" → \"https://shop.example/v2\""]
            ),
            (#""servers": [{"url": "https://shop.example/v1"}],"#, "", ["gone: ShopDocument.server"], []),
            (#""default": 1"#, #""default": 2"#, [], ["changed: GetPetRequest.init(page:): Int = 1 → Int = 2"]),
            (#", "default": 1"#, "", ["changed: GetPetRequest.init(page:): Int = 1 → Int"], []),
            (
                "\"get\": {\"operationId\": \"l", "\"put\": {\"operationId\": \"l", [],
                ["changed: ListOrdersRequest.endpoint: GET /orders → PUT /orders"]
            ),
            (
                "\"get\": {\"operationId\": \"l", "\"trace\": {\"operationId\": \"l", [],
                ["changed: ListOrdersRequest.endpoint: GET /orders → TRACE /orders"]
            ),
            (
                #""summary": "All""#,
                #""parameters": [{"name": "a", "in": "cookie"}, {"name": "b", "in": "cookie"}, {"name": "in", "in": "header"}, {"name": "x", "in": "query"}]"#,
                [],
                [
                    "new: ListOrdersRequest.init(`in`: String? = nil)", "new: ListOrdersRequest.init(a: String? = nil)",
                    "new: ListOrdersRequest.init(b: String? = nil)", "new: ListOrdersRequest.init(x: String? = nil)",
                ]
            ),
            (
                #""summary": "All""#, #""security": [{"cookie": [], "question": []}]"#,
                [
                    #"new: ListOrdersRequest.authorization: authorization = nil; query["q"] = question; headers["Cookie"] = cookie.map { "c=\($0)" }"#
                ], []
            ),
            (
                "/pets/{id}", "/animals/{id}/one", [],
                ["changed: GetPetRequest.endpoint: GET /pets/{id} → GET /animals/{id}/one"]
            ),
            (
                #""summary": "All""#, #""servers": [{"url": "https://b.example"}]"#, [],
                ["changed: ListOrdersRequest.endpoint: GET /orders → GET /orders at https://b.example"]
            ),
            (
                #"[{"token": []}]"#, #"[{"token": []}, {"key": []}]"#, [],
                [
                    #"changed: ShopDocument.authorization: authorization = token → authorization = token ?? key.map { .header("X-Key", $0) }"#
                ]
            ),
            (
                #""summary": "All""#, #""security": [{"key": []}]"#,
                [#"new: ListOrdersRequest.authorization: authorization = key.map { .header("X-Key", $0) }"#], []
            ),
            (
                #""summary": "All""#, #""security": []"#, [],
                ["new: ListOrdersRequest.authorization: authorization = nil"]
            ),
            (
                #""owner", "in": "query", "required": true"#, #""owner", "in": "query""#,
                ["changed: GetPetRequest.init: the order id, owner, page, limit → id, page, limit, owner"],
                ["changed: GetPetRequest.init(owner:): String → String? = nil"]
            ),
            (
                #""limit", "in": "query""#, #""limit", "in": "query", "required": true"#,
                [
                    "changed: GetPetRequest.init(limit:): Int? = nil → Int",
                    "changed: GetPetRequest.init: the order id, owner, page, limit → id, limit, owner, page",
                ], []
            ),
            (
                #""name": "limit""#, #""name": "size""#, ["gone: GetPetRequest.init(limit:)"],
                ["new: GetPetRequest.init(size: Int? = nil)"]
            ),
            (
                #"{"name": "limit""#,
                #"{"name": "a, b", "in": "query", "required": true, "schema": {"type": "string"}}, {"name": "limit""#,
                ["new: GetPetRequest.init(aB: String)"], []
            ),
            (
                #""name": "owner""#,
                #""name": "anotherNameOfTheOwnerThatIsSoLongThatTheInitializerNeedsALineForEachOfItsParameters""#,
                [
                    "gone: GetPetRequest.init(owner:)",
                    "new: GetPetRequest.init(anotherNameOfTheOwnerThatIsSoLongThatTheInitializerNeedsALineForEachOfItsParameters: String)",
                ], []
            ),
            (#""required": ["id"]"#, #""required": []"#, ["changed: Pet.id: Int64 → Int64?"], []),
            (
                #"{"required": ["id"]"#, #"{"required": ["id", "name"]"#,
                ["changed: Pet.name: String? → String"], []
            ),
            (
                #"{"required": ["id"], "properties": {"#,
                #"{"required": ["id", "age"], "properties": {"age": {"type": "integer"}, "#,
                ["new: Pet.init(age: Int)"], ["new: Pet.age"]
            ),
            (
                ##""schema": {"$ref": "#/components/schemas/Pet"}"##, #""schema": {"type": "string"}"#,
                ["gone: Fish", "gone: Milk", "gone: Pet", "changed: GetPetRequest.ModelType: Pet → String"], []
            ),
            (
                "\"operationId\": \"listOrders\"", "\"operationId\": \"allOrders\"", ["gone: ListOrdersRequest"],
                ["new: AllOrdersRequest"]
            ),
            ("\"summary\": \"All\"", "\"summary\": \"Each\"", [], []),
            (
                #""summary": "All""#, #""deprecated": true"#, [],
                ["changed: ListOrdersRequest.endpoint: GET /orders → GET /orders, deprecated"]
            ),
            (
                #""summary": "All", "tags": ["orders"], "responses": {"204": {"description": ""}"#,
                #""tags": ["orders"], "responses": {"200": {"description": "", "content": {"text/event-stream": {}}}"#,
                ["gone: ListOrdersRequest.ModelType"],
                [
                    "changed: ListOrdersRequest: public final class ListOrdersRequest: ShopAPI, Request → public final class ListOrdersRequest: ShopAPI, EventRequest",
                    "new: ListOrdersRequest.EventType",
                ]
            ), ("nothing", "nothing", [], []),
        ] as [(String, String, [String], [String])]
    )
    func `A change of the document is listed, breaking ones first, with the step of the version`(
        text: String,
        replacement: String,
        breaking: [String],
        others: [String]
    ) throws {
        let lines = try Self.lines(to: Self.document.replacing(text, with: replacement))
        let isChanged = text != replacement
        let step = breaking.isEmpty ? others.isEmpty ? "patch" : "minor" : "major"
        let groups = [("Breaks callers:", breaking), ("Breaks no caller:", others)]
        #expect(lines.dropLast() == groups.flatMap { $1.isEmpty ? [] : [$0] + $1.map { "  \($0)" } })
        #expect(lines.last?.hasPrefix("The next version, by semantic versioning: \(step)") ?? !isChanged)
    }

    @Test func `Code that others no longer see breaks callers`() throws {
        let texts = try [true, false].map { isPublic in
            try Generated(Self.document) { $0.isPublic = isPublic }.files["PetsRequests.swift"] ?? ""
        }
        var plan = OutputFolder.Plan()
        (plan.old, plan.new, plan.written) = ([texts[0]], [texts[1]], [("", "")])
        #expect(Changes(plan).lines.contains { $0.hasPrefix("  changed: GetPetRequest: public final class ") })
        #expect(Changes(plan).lines.first == "Breaks callers:")
    }

    @Test func `A list of changes ends after 30 lines of a kind, and what breaks comes first`() throws {
        func document(_ names: [String]) -> String {
            let all = (names + ["pet"]).map {
                #""/\#($0)": {"get": {"operationId": "\#($0)", "responses": {"204": {"description": ""}}}}"#
            }
            return
                #"{"openapi": "3.0.0", "info": {"title": "S", "version": "1"}, "paths": {\#(all.joined(separator: ","))}}"#
        }
        let lines = try Self.lines(from: document((1...31).map { "a\($0)" }), to: document((1...32).map { "b\($0)" }))
        #expect(lines.count == 1 + 30 + 1 + 1 + 30 + 1 + 1)
        #expect(lines[0] == "Breaks callers:" && lines[31] == "  … and 1 more gone")
        #expect(lines[32] == "Breaks no caller:" && lines[63] == "  … and 2 more new")
    }
}
