import Foundation
import OpenAPIDocument
import TestTiers
import Testing

@testable import APIBaseGenerator

@Suite(.limited) struct PackageTests {
    private let folder: TemporaryFolder
    private static let document = ##"""
        {"openapi": "3.0.0", "info": {"title": "The shop", "version": "1"}, "servers": [{"url": "https://shop.example"}],
        "tags": [{"name": "pets", "description": "All about pets"}],
        "paths": {"/pets": {"get": {"operationId": "listPets", "tags": ["pets"], "responses": {"200": {"description": "", "content":
        {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}, "example": ["a"]}}}}}},
        "/orders": {"get": {"operationId": "listOrders", "tags": ["orders"], "responses": {"204": {"description": ""}}}}}}
        """##

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.document, to: "shop.json")
    }

    @discardableResult private func makePackage(kit: String? = nil) throws -> GenerateRun.Outcome {
        try folder.run {
            ($0.document, $0.name, $0.out, $0.kit) = ("shop.json", "Shop", "shop-swift", kit)
            ($0.isPackage, $0.version) = (true, "1.2.3")
        }
    }

    private var catalog: [String] { folder.paths.filter { $0.hasSuffix(".md") && $0.contains(".docc/") } }

    @Test func `A package has a manifest, a page with a call, a catalogue with a page for each tag, and tests`() throws
    {
        try makePackage()
        #expect(
            folder.paths.filter { $0.hasPrefix("shop-swift/") && !$0.hasSuffix(".docc") } == [
                "shop-swift/Package.swift", "shop-swift/README.md", "shop-swift/Sources/Shop/OrdersRequests.swift",
                "shop-swift/Sources/Shop/PetsRequests.swift", "shop-swift/Sources/Shop/Shop.docc/OrdersRequests.md",
                "shop-swift/Sources/Shop/Shop.docc/PetsRequests.md", "shop-swift/Sources/Shop/Shop.docc/Shop.md",
                "shop-swift/Sources/Shop/ShopAPI.swift", "shop-swift/Sources/Shop/ShopDocument.swift",
                "shop-swift/Sources/Shop/apibase.json", "shop-swift/Tests/ShopTests/ShopExamples+Stubs.swift",
                "shop-swift/Tests/ShopTests/ShopExamples.swift", "shop-swift/Tests/ShopTests/ShopExamplesTests.swift",
            ]
        )
        let page = try #require(folder.text("shop-swift/Sources/Shop/Shop.docc/PetsRequests.md"))
        #expect(
            page.hasPrefix(
                "# pets\n\nAll about pets\n\n## Topics\n\n### Calls\n\n- ``ListPetsRequest``\n\n<!-- apibase "
            )
        )
        let start = folder.text("shop-swift/Sources/Shop/Shop.docc/Shop.md")
        #expect(start?.contains("- <doc:PetsRequests>\n- <doc:OrdersRequests>\n") == true)
        #expect(folder.text("shop-swift/README.md")?.contains("print(try await ListPetsRequest().value())") == true)
    }

    @Test func `A later run without options keeps the catalogue up to date, and what is the user's as it is`() throws {
        try makePackage()
        #expect(try folder.run { $0.isCheck = true }.problems.isEmpty)
        try folder.write("mine", to: "shop-swift/Package.swift")
        try folder.write("mine", to: "shop-swift/README.md")
        try folder.write("# Mine\n", to: "shop-swift/Sources/Shop/Shop.docc/Mine.md")
        try folder.write(Self.document.replacing("\"orders\"", with: "\"bills\""), to: "shop.json")
        #expect(
            try folder.run { $0.isCheck = true }.problems.filter { $0.contains(".md") }.map { $0.prefix { $0 != " " } }
                == [
                    "shop-swift/Sources/Shop/Shop.docc/Shop.md", "shop-swift/Sources/Shop/Shop.docc/BillsRequests.md",
                    "shop-swift/Sources/Shop/Shop.docc/OrdersRequests.md",
                ]
        )
        try folder.run()
        #expect(
            catalog.map { ($0 as NSString).lastPathComponent } == [
                "BillsRequests.md", "Mine.md", "PetsRequests.md", "Shop.md",
            ]
        )
        try makePackage()
        #expect(folder.text("shop-swift/Package.swift") == "mine" && folder.text("shop-swift/README.md") == "mine")
        let path = "shop-swift/Sources/Shop/Shop.docc/Shop.md"
        try folder.write((folder.text(path) ?? "").replacing("# ", with: "# My "), to: path)
        #expect(try folder.run().problems == ["\(path) is edited by hand: nothing is written. --force overwrites it."])
    }

    /// The option, and the dependency with the package of the products.
    @Test(arguments: [
        (nil, #"path: "Vendor/APIBaseKit""#, "APIBaseKit"), ("kit", #"path: "../kit""#, "kit"),
        (
            "https://git.example/APIBaseKit.git", #"url: "https://git.example/APIBaseKit.git", from: "1.2.3""#,
            "APIBaseKit"
        ),
        ("git@git.example:a/Kit", #"url: "git@git.example:a/Kit", from: "1.2.3""#, "Kit"),
    ]) func `The manifest names the kit by a path from it, or by a URL`(kit: String?, place: String, name: String)
        throws
    {
        try makePackage(kit: kit)
        let manifest = try #require(folder.text("shop-swift/Package.swift"))
        #expect(manifest.contains(".package(\(place))"))
        #expect(manifest.contains(#".product(name: "APIBaseKit", package: "\#(name)")"#))
    }

    /// Parameters and responses of an operation, security, and the call in the page.
    @Test(arguments: [
        (
            #""name": "id", "in": "query", "required": true, "schema": {"type": "integer"}"#, "",
            #"OneRequest(id: 1).value()"#
        ),
        (
            #""name": "in", "in": "query", "required": true, "schema": {"enum": ["x"], "type": "string"}"#, "",
            "OneRequest().value()"
        ),
        (
            #""name": "in", "in": "query", "required": true, "schema": {"enum": ["x", "y"], "type": "string"}"#, "",
            "OneRequest(`in`: .x).value()"
        ),
        (
            #""name": "id", "in": "query", "required": true, "schema": {"type": "string", "format": "date-time"}"#, "",
            nil
        ),
        (#""name": "id", "in": "query""#, #"{"type": "http", "scheme": "bearer"}"#, #".bearer("…"))"#),
        (
            #""name": "id", "in": "query""#, #"{"type": "http", "scheme": "basic"}"#,
            #".basic(user: "…", password: "…"))"#
        ),
        (
            #""name": "id", "in": "query""#, #"{"type": "apiKey", "in": "header", "name": "X-Key"}"#,
            #".header("X-Key", "…"))"#
        ),
        (#""name": "id", "in": "query""#, #"{"type": "apiKey", "in": "query", "name": "key"}"#, "OneRequest().value()"),
    ]) func `The page has a call with values for what it needs, and the credentials`(
        parameter: String,
        scheme: String,
        text: String?
    ) throws {
        let schemes =
            scheme.isEmpty ? "" : #", "security": [{"s": []}], "components": {"securitySchemes": {"s": \#(scheme)}}"#
        let reply =
            #""responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "string"}}}}}"#
        try folder.write(
            #"{"openapi": "3.0.0", "info": {"title": "S", "version": "1"}, "paths": {"/a": {"get": {"operationId": "one", "parameters": [{\#(parameter)}], \#(reply)}}}\#(schemes)}"#,
            to: "shop.json"
        )
        try makePackage()
        let page = try #require(folder.text("shop-swift/README.md"))
        #expect(page.contains("```swift") == (text != nil))
        if let text { #expect(page.contains(text)) }
    }
}
