import Testing

@testable import APIBaseGenerator

@Suite struct TypeNamesTests {
    private func names(_ schemas: [String], leaves: [String] = [], overrides: [String: String] = [:]) -> [String] {
        var names = TypeNames(
            api: "Shop",
            leaves: leaves,
            schemas: schemas.map { ("#/\($0)", $0) },
            overrides: overrides
        )
        return schemas.map { names.name(of: "#/\($0)") }
    }

    @Test func `A schema named like a Swift type or like the API gets the API's name as a prefix`() {
        #expect(
            names(["Error", "Data", "Type", "Pet", "Shop"]) == ["ShopError", "ShopData", "ShopType", "Pet", "ShopShop"]
        )
    }

    @Test func `If schemas have similar names, a valid type name is kept and the others get a number`() {
        #expect(
            names(["user-name", "UserName", "user_name", "username"]) == [
                "UserName2", "UserName", "UserName3", "Username4",
            ]
        )
    }

    @Test func `A schema named like a request class is its body, one named like the base class gets a number`() {
        #expect(names(["ListRequest", "ShopAPI"], leaves: ["ListRequest"]) == ["ListBody", "ShopAPI2"])
    }

    @Test func `No number stands after another one, and a nested type is a kind`() throws {
        let members = #""type": {"enum": ["a"]}, "author": {}, "Author": {}, "author2": {}, "v1": {}, "V1": {}"#
        let code = try Generated(schemas: #"{"Thing": {"type": "object", "properties": {\#(members)}}}"#).models
        for line in ["struct Kind:", "var type: Kind?", "author3", "v1_2"] { #expect(code.contains(line), "\(line)") }
        #expect(!code.contains("author22"))
    }

    /// An ID with its path, and the leaf.
    @Test(arguments: [
        ("read_user_api_users__user_id__get", "/api/users/{user_id}", "ReadUserRequest"),
        ("read_user", "/users/{id}", "ReadUserRequest"), ("_users_get", "/users", "UsersGetRequest"),
    ])
    func `The ID of an operation without the path and the method names its leaf`(id: String, path: String, leaf: String)
        throws
    {
        let paths = #"{"\#(path)": {"get": {"operationId": "\#(id)", "responses": {}}}}"#
        #expect(try Generated(paths: paths).requests.contains("class \(leaf): "))
    }

    @Test func `Two functions of one name keep the IDs of their operations`() throws {
        let operations = ["a", "b"].map { #""/\#($0)": {"get": {"operationId": "list_\#($0)_get", "responses": {}}}"# }
        let code = try Generated(paths: "{\(operations.joined(separator: ","))}").requests
        #expect(code.contains("class ListAGetRequest: ") && code.contains("class ListBGetRequest: "))
    }

    @Test func `A long name ends with a word`() {
        let name = Identifier.type(String(repeating: "long_word_", count: 30))
        #expect(name.count <= Identifier.lengthLimit && name.count > 90)
        #expect(name.hasSuffix("Long") || name.hasSuffix("Word"))
    }

    @Test func `A type name from the settings replaces the name of the schema`() {
        #expect(names(["pull-request"], overrides: ["pull-request": "Pull"]) == ["Pull"])
    }

    @Test func `Type names of a thousand similar schemas differ even when case is ignored`() {
        let schemas = (0..<1_000).flatMap { ["item_\($0 % 10)", "Item-\($0 % 10)"].map { "\($0)\($0.count)" } }
        let found = names(Array(Set(schemas)).sorted() + (0..<1_000).map { "x\(String(repeating: "_", count: $0))" })
        #expect(Set(found.map { $0.lowercased() }).count == found.count)
    }
}
