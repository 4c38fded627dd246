import Foundation
import OpenAPIDocument
import TestTiers
import Testing

@testable import APIBaseGenerator

@Suite(.limited) struct GenerateRunTests {
    private let folder: TemporaryFolder
    private static let document = ##"""
        {"openapi": "3.0.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.example"}],
        "paths": {"/pets": {"get": {"operationId": "listPets", "tags": ["pets"], "responses": {"200": {"content":
        {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}, "example": [{"id": 1}]}}}}}},
        "/orders": {"get": {"operationId": "listOrders", "tags": ["orders"], "responses": {"204": {}}}}},
        "components": {"schemas": {"Pet": {"required": ["id"], "properties": {"id": {"type": "integer"}, "tag": {"type": "string"}}}}}}
        """##

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.document, to: "shop.json")
    }

    @discardableResult private func first(_ change: (inout GenerateRun.Options) -> Void = { _ in }) throws
        -> GenerateRun.Outcome
    {
        try folder.run {
            ($0.document, $0.name, $0.out, $0.tests) = ("shop.json", "Shop", "Sources/Shop", "Tests/ShopTests")
            change(&$0)
        }
    }

    @Test func `The first run of the generator writes exactly the expected sources, settings and tests`() throws {
        let outcome = try first()
        #expect(outcome.problems.isEmpty)
        #expect(
            folder.paths == [
                "Sources/Shop/Models/Pet.swift", "Sources/Shop/OrdersRequests.swift", "Sources/Shop/PetsRequests.swift",
                "Sources/Shop/ShopAPI.swift", "Sources/Shop/ShopDocument.swift", "Sources/Shop/apibase.json",
                "Tests/ShopTests/ShopExamples+Stubs.swift", "Tests/ShopTests/ShopExamples.swift",
                "Tests/ShopTests/ShopExamplesTests.swift", "shop.json",
            ]
        )
    }

    @Test func `A second generator run without arguments uses the saved settings and changes no file`() throws {
        try first()
        let before = folder.paths.map { folder.text($0) }
        let again = try folder.run()
        #expect(again.lines == ["Shop: 2 operations; 0 files written, 0 deleted."])
        #expect(folder.paths.map { folder.text($0) } == before)
        #expect(try folder.run { $0.isCheck = true }.problems.isEmpty)
    }

    @Test func `A run that finds one operation and writes one file says so in the singular`() throws {
        try first { $0.only = ["orders"] }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Sources/Shop/OrdersRequests.swift"))
        #expect(try folder.run().lines.first == "Shop: 1 operation; 1 file written, 0 deleted.")
    }

    @Test func `A generator check after a document change names each affected file and writes nothing`() throws {
        try first()
        try folder.write(Self.document.replacing("\"tag\":", with: "\"label\":"), to: "shop.json")
        let before = folder.text("Sources/Shop/Models/Pet.swift")
        #expect(
            try folder.run { $0.isCheck = true }.problems == [
                "Sources/Shop/Models/Pet.swift is not what the document gives."
            ]
        )
        #expect(folder.text("Sources/Shop/Models/Pet.swift") == before)
    }

    @Test func `A run of a document with another name deletes what the former one gave, also in the tests' folder`()
        throws
    {
        try first()
        let next = Self.document.replacing("\"orders\"", with: "\"Bills\"").replacing(
            #", "example": [{"id": 1}]"#,
            with: ""
        )
        try folder.write(next, to: "shop-2.json")
        let check = try first { ($0.document, $0.isCheck) = ("shop-2.json", true) }
        #expect(check.problems.contains("Sources/Shop/OrdersRequests.swift is not what the document gives."))
        try first { $0.document = "shop-2.json" }
        #expect(folder.text("Sources/Shop/OrdersRequests.swift") == nil)
        #expect(folder.text("Sources/Shop/BillsRequests.swift") != nil)
        #expect(folder.text("Tests/ShopTests/ShopExamplesTests.swift")?.contains("shop.json") != true)
        #expect(try folder.run { $0.isCheck = true }.problems.isEmpty)
    }

    @Test func `Two APIs with one folder of tests, whose documents have one name, keep each other's tests`() throws {
        try first()
        try folder.write(Self.document, to: "other/shop.json")
        try first { ($0.document, $0.name, $0.out) = ("other/shop.json", "Zoo", "Sources/Zoo") }
        #expect(folder.text("Tests/ShopTests/ShopExamples.swift") != nil)
        #expect(folder.text("Tests/ShopTests/ZooExamples.swift") != nil)
        #expect(try folder.run { $0.isCheck = true }.problems.isEmpty)
    }

    @Test func `Of several documents, nothing is written if one cannot be read`() throws {
        try first()
        try folder.write(Self.document, to: "other.json")
        try first { ($0.document, $0.name, $0.out, $0.tests) = ("other.json", "Other", "Sources/Zoo", nil) }
        try folder.write(Self.document.replacing("\"orders\"", with: "\"bills\""), to: "shop.json")
        try folder.write("{", to: "other.json")
        let before = folder.paths
        #expect(throws: DocumentError.self) { try folder.run() }
        #expect(folder.paths == before)
    }

    @Test func `A generator run after a document change lists new, gone and changed Swift names`() throws {
        try first()
        let changed = Self.document.replacing(
            #""tag": {"type": "string"}"#,
            with:
                ##""tag": {"type": "integer"}, "age": {"type": "integer"}, "mate": {"allOf": [{"$ref": "#/components/schemas/Pet"}], "nullable": true}"##
        )
        try folder.write(changed.replacing("listOrders", with: "allOrders"), to: "shop.json")
        let lines = try folder.run().lines
        #expect(lines.contains("  new: AllOrdersRequest"))
        #expect(lines.contains("  new: Pet.age") && lines.contains("  new: Pet.mate"))
        #expect(lines.contains("  gone: ListOrdersRequest"))
        #expect(lines.contains("  changed: Pet.tag: String? → Int?"))
    }

    @Test func `A generator run writes nothing if a generated file was edited by hand, unless it is forced`() throws {
        try first()
        let path = "Sources/Shop/PetsRequests.swift"
        try folder.write((folder.text(path) ?? "") + "// mine\n", to: path)
        try folder.write(Self.document.replacing("\"tag\":", with: "\"label\":"), to: "shop.json")
        let outcome = try folder.run()
        #expect(
            outcome.problems == [
                "Sources/Shop/PetsRequests.swift is edited by hand: nothing is written. --force overwrites it."
            ]
        )
        #expect(folder.text("Sources/Shop/Models/Pet.swift")?.contains("tag") == true)
        #expect(try folder.run { $0.isForced = true }.problems.isEmpty)
        #expect(folder.text(path)?.contains("mine") == false)
    }

    /// It would use models that have gone as well.
    @Test func `A hand-edited file of a deselected operation is deleted only by a forced generator run`() throws {
        try first()
        let path = "Sources/Shop/OrdersRequests.swift"
        try folder.write((folder.text(path) ?? "") + "// mine\n", to: path)
        #expect(try folder.run { $0.only = ["pets"] }.problems.count == 1)
        #expect(folder.paths.contains(path))
        let lines = try folder.run { ($0.only, $0.isForced) = (["pets"], true) }.lines
        #expect(lines.contains("  gone: ListOrdersRequest"))
        #expect(!folder.paths.contains(path))
    }

    @Test(arguments: [
        ("missing.json", "missing.json cannot be read: there is no such file."),
        ("Sources", "Sources cannot be read: it is a folder."),
        ("", "cannot be read: it is a folder."),
    ]) func `A generator run throws a Refusal with path and reason if the document is missing or a folder`(
        path: String,
        message: String
    ) throws {
        try folder.write("", to: "Sources/Shop.swift")
        let error = #expect(throws: Refusal.self) { try first { $0.document = path } }
        #expect(error?.localizedDescription.hasSuffix(message) == true)
    }

    @Test func `A generator check accepts CRLF line ends, and a run reports a file that was written by hand`() throws {
        try first()
        let path = "Sources/Shop/Models/Pet.swift"
        try folder.write((folder.text(path) ?? "").replacing("\n", with: "\r\n"), to: path)
        #expect(try folder.run { $0.isCheck = true }.problems.isEmpty)
        try folder.write("struct Pet {}\n", to: path)
        #expect(try folder.run().problems.count == 1)
    }

    @Test func `A forced generator run does not overwrite the API class file that belongs to the user`() throws {
        try first()
        try folder.write("// mine\n", to: "Sources/Shop/ShopAPI.swift")
        try folder.run { $0.isForced = true }
        #expect(folder.text("Sources/Shop/ShopAPI.swift") == "// mine\n")
    }

    @Test func `A generator run that selects fewer operations deletes other requests and saves the selection`() throws {
        try first()
        try folder.run { $0.only = ["pets"] }
        #expect(!folder.paths.contains("Sources/Shop/OrdersRequests.swift"))
        #expect(folder.text("Sources/Shop/apibase.json")?.contains(#""only": ["pets"]"#) == true)
    }

    @Test func `An empty pattern takes back the selection of earlier runs`() throws {
        try first { ($0.only, $0.except) = (["list*"], ["orders"]) }
        #expect(folder.text("Sources/Shop/OrdersRequests.swift") == nil)
        try folder.run { ($0.only, $0.except) = ([""], [""]) }
        #expect(folder.text("Sources/Shop/OrdersRequests.swift") != nil)
        #expect(folder.text("Sources/Shop/apibase.json")?.contains(/only|except/) == false)
    }

    /// Options of the first run, and words of the refusal.
    @Test(arguments: [
        (["except": "none"], "No operation matches “none”"),
        (["only": "pets", "except": "pets"], "--except leaves no operation"),
        (["name": "JSON"], "the kit's own, JSONAPI"), (["name": "GraphQL"], "the kit's own"),
        (["document": "-"], "standard input is not read"),
        (
            ["document": "https://a.example/v1/shop.yaml?a=1"],
            "curl -fL -o 'shop.yaml' 'https://a.example/v1/shop.yaml?a=1'"
        ),
        (["document": "http://a.example/api"], "curl -fL -o 'openapi.json' 'http://a.example/api'"),
    ]) func `Options that cannot be meant are refused with the reason`(options: [String: String], words: String) throws
    {
        let refusal = #expect(throws: Refusal.self) {
            try first {
                $0.document = options["document"] ?? $0.document
                $0.name = options["name"] ?? $0.name
                ($0.only, $0.except) = (options["only"].map { [$0] } ?? [], options["except"].map { [$0] } ?? [])
            }
        }
        #expect(refusal?.localizedDescription.contains(words) == true)
        #expect(folder.paths == ["shop.json"])
    }

    @Test func `Another name for the API replaces what is generated, also tests, and names the class that is left`()
        throws
    {
        try first()
        try folder.write(
            folder.text("Tests/ShopTests/ShopExamples.swift") ?? "",
            to: "Tests/ShopTests/ShopAdminExamples.swift"
        )
        let outcome = try folder.run { $0.name = "Zoo" }
        #expect(outcome.warnings.contains { $0.hasPrefix("ShopAPI.swift is the class of the former name") })
        #expect(
            folder.paths.filter { $0.contains(/\/Shop\w+\.swift/) }
                == [
                    "Sources/Shop/ShopAPI.swift", "Tests/ShopTests/ShopAdminExamples.swift",
                ]
        )
        #expect(try folder.run().warnings.isEmpty)
    }

    @Test(arguments: [("3.0.3", 0), ("3.1.1", 0), ("3.2.0", 1)])
    func `A version that is read as an earlier one is warned about`(version: String, count: Int) throws {
        try folder.write(Self.document.replacing("3.0.0", with: version), to: "shop.json")
        #expect(try first().warnings.filter { $0.contains("is read as 3.1") }.count == count)
    }

    @Test(arguments: [
        ("/api/v3", "https://…/api/v3"), ("/", "https://…"), ("//a.example/b", "https://…"),
        (#"/a\"\n"#, #"https://…/a\"\n"#),
    ])
    func `The class of a document whose server is a path proposes that path`(server: String, url: String) throws {
        try folder.write(Self.document.replacing("https://shop.example", with: server), to: "shop.json")
        try first()
        #expect(folder.text("Sources/Shop/ShopAPI.swift")?.contains("URL(string: \"\(url)\")") == true)
    }

    @Test(arguments: ["listPets", "list*", "pets", "pets/*", "/pets", "GET /pets", "ListPetsRequest", "*ets"])
    func `The generator selects operations by ID, tag, path, method, class name or wildcard`(pattern: String) throws {
        try first { $0.only = [pattern] }
        #expect(folder.paths.contains("Sources/Shop/PetsRequests.swift"))
        #expect(folder.paths.contains("Sources/Shop/OrdersRequests.swift") == (pattern == "list*"))
    }

    @Test func `The generator's list mode prints all operations, marks the selected ones and writes no file`() throws {
        let outcome = try folder.run { ($0.document, $0.isList, $0.except) = ("shop.json", true, ["orders"]) }
        #expect(
            outcome.lines == [
                "pets (1)", "* ListPetsRequest  GET /pets  listPets", "orders (1)",
                "  ListOrdersRequest  GET /orders  listOrders",
            ]
        )
        #expect(folder.paths == ["shop.json"])
    }

    @Test(arguments: ["pets", "../Shop", "", "1Shop", "class", "Shop;", "Śhop"])
    func `A generator run throws badName if the API name is not a capitalized ASCII identifier`(name: String) {
        #expect(throws: Refusal.badName(name)) { try first { $0.name = name } }
    }

    @Test func `A generator run throws nothingSelected if the selection matches no operation`() {
        #expect(throws: Refusal.nothingSelected("none")) { try first { $0.only = ["none"] } }
    }

    @Test
    func `A generator run throws Refusal.outside if an output folder is a symbolic link to another folder`() throws {
        let outside = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("Sources/Shop"),
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Sources/Shop/Models"),
            withDestinationURL: outside.url
        )
        #expect(throws: Refusal.outside("Models/Pet.swift")) { try first() }
        #expect(outside.paths.isEmpty)
    }

    /// Links by their paths, with what they lead to.
    @Test(
        arguments: [
            ["Sources/Shop/Models": "other"], ["Sources/Shop/Models": "links/a", "links/a": "../other"],
            ["Sources/Shop/Models": "../../other"], ["Sources/Shop/Models": "Models"], ["Sources": "other/Sources"],
        ]
    )
    func `A generator run deletes and writes nothing outside of its folder, whatever links lead there`(
        links: [String: String]
    ) throws {
        try first()
        let model = try #require(folder.text("Sources/Shop/Models/Pet.swift"))
        let files = FileManager.default
        try folder.write(model, to: "other/Pet.swift")
        try folder.write(model, to: "other/Sources/Shop/Models/Old.swift")
        try folder.write("", to: "links/none.txt")
        for (path, target) in links.sorted(by: { $0.key > $1.key }) {
            let place = folder.url.appendingPathComponent(path).path
            try? files.removeItem(atPath: place)
            let isHere = target.contains("..") || target == "Models"
            try files.createSymbolicLink(
                atPath: place,
                withDestinationPath: isHere ? target : folder.url.appendingPathComponent(target).path
            )
        }
        // Without a model, so that files of models are deleted.
        try folder.write(
            Self.document.replacing(##"{"$ref": "#/components/schemas/Pet"}"##, with: "{}"),
            to: "shop.json"
        )
        _ = try? folder.run { ($0.document, $0.name, $0.out) = ("shop.json", "Shop", "Sources/Shop") }
        #expect(folder.text("other/Pet.swift") == model)
        // The folder itself may be reached by a link: its name was given.
        #expect((folder.text("other/Sources/Shop/Models/Old.swift") == nil) == (links["Sources"] != nil))
    }

    @Test(
        arguments: [
            "../../../stolen", "/tmp/apibase-stolen", "../../Tests/../../stolen", "../../link", "../../link/new/folder",
            "../../loop/../../stolen",
        ]
    )
    func `Settings whose tests lie outside of the folder of the run are refused, unless an option names that folder`(
        tests: String
    ) throws {
        try first { $0.tests = nil }
        let outside = try TemporaryFolder()
        let links = [("link", outside.url.path), ("loop", "loop")]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: folder.url.appendingPathComponent(name).path,
                withDestinationPath: target
            )
        }
        try folder.write(
            #"{"name": "Shop", "document": "../../shop.json", "tests": "\#(tests)"}"#,
            to: "Sources/Shop/apibase.json"
        )
        let before = folder.paths
        let refusal = #expect(throws: Refusal.self) { try folder.run() }
        #expect(refusal?.errorDescription?.contains("--tests '/") == true)
        #expect(folder.paths == before && outside.paths.isEmpty)
        try folder.run { $0.tests = outside.url.path }
        #expect(!outside.paths.isEmpty)
    }

    @Test func `A linked folder is not searched for settings`() throws {
        let other = try TemporaryFolder()
        try other.write(#"{"name": "Shop", "document": "shop.json"}"#, to: "Sources/Other/apibase.json")
        try other.write(Self.document, to: "Sources/Other/shop.json")
        try first()
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appendingPathComponent("Other").path,
            withDestinationPath: other.url.path
        )
        #expect(try folder.run().lines.count == 1)
        #expect(other.paths.count == 2)
    }

    @Test(
        arguments: [
            "a'; touch pwned; echo '.yaml", "a$(touch pwned).yaml", "a`touch pwned`.yaml", "a\"b.yaml", "a b.yaml",
            "-a.yaml",
            "a\nb.yaml", "a\\.yaml", "ä.yaml",
        ]
    )
    func `A command that a refusal proposes has the file's name as one word of a shell, whatever is in it`(
        name: String
    ) throws {
        let commands = [
            try #require(DocumentError.notYAML(name, line: 1, column: 1, reason: "no").errorDescription),
            try #require(DocumentError.swagger2(name).errorDescription),
            DocumentError.bundleHint(name),
        ]
        for command in commands {
            let start = try #require(command.range(of: "npx "))
            // What the shell makes of the words after the name of the tool.
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = [
                "-c",
                "cd /; npx() { printf '%s\\0' \"$@\"; }; \(command[start.lowerBound...].replacing(" > ", with: " "))",
            ]
            let output = Pipe()
            shell.standardOutput = output
            try shell.run()
            let words = output.fileHandleForReading.readDataToEndOfFile().split(separator: 0)
            shell.waitUntilExit()
            let wanted = name.hasPrefix("-") ? "./\(name)" : name
            #expect(words.contains { $0.elementsEqual(wanted.utf8) }, "\(command)")
        }
    }

    @Test func `Names, access level, paging and polling in the settings file shape the generated code`() throws {
        let text = #"""
            {"document": "../../shop.json", "name": "Shop", "names": {"listPets": "AllPets", "Pet": "Animal"}, "access": "internal",
            "pages": {"listPets": {"header": "x-next"}}, "polls": ["listOrders"]}
            """#
        try folder.write(text, to: "Sources/Shop/apibase.json")
        try folder.run()
        let code = try #require(folder.text("Sources/Shop/PetsRequests.swift"))
        #expect(
            code.contains("\nfinal class AllPetsRequest: ShopAPI, PagedRequest {\n    typealias ModelType = [Animal]")
        )
        #expect(code.contains(#"let next = response.value(forHTTPHeaderField: "x-next")"#))
        #expect(folder.text("Sources/Shop/OrdersRequests.swift")?.contains("PolledRequest") == true)
    }

    /// A rule, the name of its operation, and what the leaf has; `nil` for a rule that does not fit.
    @Test(arguments: [
        (#"{"url": "links.next"}"#, "list", "page.links?.next.flatMap { URL(string: $0) }.map { .url($0) }"),
        (
            #"{"query": "after", "from": "data.id", "while": "has_more"}"#, "list",
            #"return page.data.last?.id.map { .query(["after": "\($0)"]) }"#
        ),
        (
            #"{"query": "after", "from": "cursor"}"#, "list",
            #"page.cursor.isEmpty ? nil : .query(["after": page.cursor])"#
        ),
        (#"{"url": "cursor2"}"#, "list", nil), (#"{"url": "has_more"}"#, "list", nil), (#"{"url": ""}"#, "list", nil),
        (#"{"query": "after", "from": "links"}"#, "list", nil), (#"{"query": "after", "from": "data"}"#, "list", nil),
        (#"{"query": "after", "from": "cursor", "while": "cursor"}"#, "list", nil),
        (#"{"url": "links.none"}"#, "list", nil), (#"{"query": "after", "from": "data.name"}"#, "list", nil),
        (#"{"url": "links.none"}"#, "*", ""),
    ])
    func `A rule for pages reads the reply, and one that does not fit is refused`(
        rule: String,
        operation: String,
        line: String?
    ) throws {
        let members = ##"""
            "data": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
            "has_more": {"type": "boolean"}, "cursor": {"type": "string"},
            "links": {"type": "object", "properties": {"next": {"type": "string"}}}
            """##
        let reply = #"{"type": "object", "required": ["data", "has_more", "cursor"], "properties": {\#(members)}}"#
        let content = #""responses": {"200": {"content": {"application/json": {"schema": \#(reply)}}}}"#
        let after = #""parameters": [{"name": "after", "in": "query", "schema": {"type": "string"}}]"#
        let start =
            #"{"openapi": "3.0.0", "info": {"title": "S", "version": "1"}, "paths": {"/a": {"get": {"operationId": "list", "#
        try folder.write("\(start)\(after), \(content)}}}}", to: "list.json")
        let settings = #"{"document": "../../list.json", "name": "Shop", "pages": {"\#(operation)": \#(rule)}}"#
        try folder.write(settings, to: "Sources/Shop/apibase.json")
        guard let line else {
            #expect(throws: Refusal.self) { try folder.run() }
            return
        }
        try folder.run()
        let code = try #require(folder.text("Sources/Shop/ShopRequests.swift"))
        #expect(code.contains("PagedRequest") == !line.isEmpty)
        if !line.isEmpty { #expect(code.contains(line)) }
        if rule.contains("while") { #expect(code.contains("guard page.hasMore else { return nil }")) }
    }

    /// Members of a reply and a parameter, and the rule that the first run proposes.
    @Test(arguments: [
        (#""next_cursor": {"type": "string"}"#, "cursor", #""list": {"query": "cursor", "from": "next_cursor"}"#),
        (#""links": {"properties": {"next": {"type": "string"}}}"#, "limit", #""list": {"url": "links.next"}"#),
        (
            #""has_more": {"type": "boolean"}, "data": {"type": "array", "items": {"properties": {"id": {"type": "string"}}}}"#,
            "starting_after", #""list": {"query": "starting_after", "from": "data.id", "while": "has_more"}"#
        ),
        (#""name": {"type": "string"}"#, "cursor", nil),
    ])
    func `The first run proposes the rule for pages that fits`(members: String, item: String, rule: String?) throws {
        let content =
            #""responses": {"200": {"content": {"application/json": {"schema": {"properties": {\#(members)}}}}}}"#
        let list = #""parameters": [{"name": "\#(item)", "in": "query", "schema": {"type": "string"}}]"#
        let start =
            #"{"openapi": "3.0.0", "info": {"title": "S", "version": "1"}, "paths": {"/a": {"get": {"operationId": "list", "#
        try folder.write("\(start)\(list), \(content)}}}}", to: "shop.json")
        let lines = try first().lines
        #expect(lines.contains { $0.contains("Rules for “pages”") } == (rule != nil))
        if let rule { #expect(lines.contains("  \(rule)")) }
        var options = GenerateRun.Options()
        options.isList = true
        let listed = try GenerateRun(options, in: folder.url).perform().lines
        #expect(listed.contains("  \(rule ?? "")") == (rule != nil))
        #expect(try !folder.run().lines.contains { $0.contains("Rules for") })
    }

    @Test(arguments: [
        "[]", "{", #"{"name": "Shop"}"#, #"{"name": "Shop", "document": "x", "nmaes": {}}"#,
        #"{"name": "Shop", "document": "x", "pages": {"a": {}}}"#,
        #"{"name": "Shop", "document": "x", "names": {"a": "b c"}}"#,
        #"{"name": "Shop", "document": "x", "names": {"a": "String"}}"#,
        #"{"name": "Foundation", "document": "x"}"#, #"{"name": "Shop", "document": "x", "calls": "yes"}"#,
        #"{"name": "Shop", "document": "x", "only": "a"}"#, #"{"name": "Shop", "document": "x", "only": [""]}"#,
        #"{"name": "Shop", "document": "x", "polls": [1]}"#, #"{"name": "Shop", "document": "x", "pages": []}"#,
        #"{"name": "Shop", "document": "x", "access": "private"}"#, #"{"name": "Shop", "document": "x", "tests": 1}"#,
        #"{"name": "Shop", "document": "x", "catalog": null}"#, #"{"name": 7, "document": "x"}"#,
        #"{"name": "Shop", "document": "../../shop.json", "names": {"Pets": "Animal"}}"#,
        #"{"name": "Shop", "document": "../../shop.json", "polls": ["pets"]}"#,
        #"{"name": "Shop", "document": "../../shop.json", "pages": {"listPet": {"link": true}}}"#,
        #"{"name": "Shop", "document": "../../shop.json", "pages": {"listPets": {"link": true, "typo": 1}}}"#,
        #"{"name": "Shop", "document": "../../shop.json", "pages": {"*": {"header": "a", "link": true}}}"#,
    ])
    func `A generator run throws a Refusal if its settings are invalid, incomplete or name what is not there`(
        text: String
    )
        throws
    {
        try folder.write(text, to: "Sources/Shop/apibase.json")
        #expect { try folder.run() } throws: { $0 is Refusal || $0 is DocumentError }
    }
}
