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

    @Test func `A schema named like a request class gets the suffix Model, one named like the base class a number`() {
        #expect(names(["ListRequest", "ShopAPI"], leaves: ["ListRequest"]) == ["ListRequestModel", "ShopAPI2"])
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
