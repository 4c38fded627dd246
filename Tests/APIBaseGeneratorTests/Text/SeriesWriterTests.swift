import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// Rules for pages that are counted, and the rules that a run proposes for them.
@Suite struct SeriesWriterTests {
    private static let list = #""items": {"type": "array", "items": {"type": "object"}}"#

    private static func rule(_ name: String, _ item: String, of total: String? = nil, while more: String? = nil)
        -> Series
    {
        let counting = Series.Counting(total: total, more: more)
        return name == "number" ? .number(item, counting) : .offset(item, counting)
    }

    private static func document(_ members: String, _ item: String, _ schema: String, required: String) -> String {
        let reply = #"{"type": "object", "required": [\#(required)], "properties": {\#(members)}}"#
        return #"""
            {"/a": {"get": {"operationId": "list", "parameters": [{"name": "\#(item)", "in": "query", "schema": \#(schema)}],
            "responses": {"200": {"content": {"application/json": {"schema": \#(reply)}}}}}}}
            """#
    }

    /// The members of a reply, an item of the query with its schema, the rule, and what the leaf has; the rule is
    /// also what is proposed.
    @Test(arguments: [
        (list, "page", "{}", rule("number", "page"), #".number("page", after: response, while: !page.items.isEmpty)"#),
        (
            list, "page[number]", #""minimum": 0"#, rule("number", "page[number]"),
            #".number("page[number]", after: response, first: 0, while: !page.items.isEmpty)"#
        ),
        (
            list, "page", #""description": "Zero-based page index (0..N)""#, rule("number", "page"),
            #".number("page", after: response, first: 0, while: !page.items.isEmpty)"#
        ),
        (
            list, "startIndex", #""minimum": 1"#, rule("offset", "startIndex"),
            #".offset("startIndex", after: response, first: 1, by: page.items.count)"#
        ),
        (
            list, "page", #""minimum": 0, "default": 1"#, rule("number", "page"),
            #".number("page", after: response, while: !page.items.isEmpty)"#
        ),
        (
            list + #", "total_pages": {"type": "integer", "format": "int64"}"#, "page", #""default": 0"#,
            rule("number", "page", of: "total_pages"),
            #".number("page", after: response, first: 0, of: page.totalPages)"#
        ),
        (
            list + #", "meta": {"type": "object", "properties": {"has_more": {"type": "boolean"}}}"#, "page", "",
            rule("number", "page", while: "meta.has_more"),
            #".number("page", after: response, while: page.meta?.hasMore == true)"#
        ),
        (list, "skip", "", rule("offset", "skip"), #".offset("skip", after: response, by: page.items.count)"#),
        (
            list + #", "meta": {"type": "object", "properties": {"total": {"type": "integer"}}}"#, "offset", "",
            rule("offset", "offset", of: "meta.total"),
            #".offset("offset", after: response, by: page.items.count, of: page.meta?.total)"#
        ),
    ])
    func `Counted pages have a rule, which the first run proposes`(
        members: String,
        item: String,
        bounds: String,
        rule: Series,
        line: String
    ) throws {
        let bounds = bounds == "{}" || bounds.isEmpty ? "" : ", \(bounds)"
        let paths = Self.document(members, item, #"{"type": "integer"\#(bounds)}"#, required: #""items""#)
        let requests = try Generated(paths: paths) { $0.series["list"] = rule }.requests
        #expect(requests.contains("ListRequest: ShopAPI, PagedRequest"))
        #expect(requests.contains(line))

        let document = Data(#"{"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "paths": \#(paths)}"#.utf8)
        let settings = try Settings(name: "Shop", document: "shop.json")
        let proposals = try Generator(try Document(document, name: "shop.json"), settings).files().proposals
        let json = try #require(rule.json)
        #expect(proposals.contains("  \"list\": \(json.line)"), "\(proposals)")
        #expect(try Settings(Data(try with(rule).utf8), path: "apibase.json").series["list"] == rule)
    }

    private func with(_ rule: Series) throws -> String {
        var settings = try Settings(name: "Shop", document: "shop.json")
        settings.series["list"] = rule
        return settings.text
    }

    /// A rule that does not fit, and what the error says.
    @Test(arguments: [
        (Series.number("nope", .init()), "its query has no integer “nope”"),
        (.number("page", .init(total: "items")), "its reply has no integer “items”"),
        (.number("page", .init(more: "none")), "its reply has no Boolean “none”"),
        (.offset("page", .init(list: "none")), "its reply has no list “none”"),
        (.offset("page", .init()), "name one list of its reply: “list”"),
        (.url("items"), "its reply has no text “items”"),
        (.query("page", from: "none", while: nil), "its reply has no text or number “none”"),
    ])
    func `The error for a rule that does not fit names what is missing`(rule: Series, reason: String) throws {
        let members = Self.list + #", "others": {"type": "array", "items": {}}"#
        let paths = Self.document(members, "page", #"{"type": "integer"}"#, required: "")
        let refusal = #expect(throws: Refusal.self) { try Generated(paths: paths) { $0.series["list"] = rule } }
        #expect(refusal?.errorDescription?.contains("does not fit: \(reason)") == true)
    }

    /// What a structure with a wrapper has is isolated to the main actor where that is the default.
    @Test func `A nullable member that leads to the next page is read without isolation`() throws {
        let members = Self.list + #", "next": {"type": ["string", "null"]}"#
        let paths = Self.document(members, "cursor", #"{"type": "string"}"#, required: "")
        let code = try Generated(paths: paths) { $0.series["list"] = .query("cursor", from: "next", while: nil) }
        #expect(code.requests.contains("page.nextInPages.flatMap {"))
        #expect(code.models.contains("nonisolated var nextInPages: String? { _next.wrappedValue }\n"))
        #expect(try !Generated(paths: paths).models.contains("InPages"))
    }

    /// A list that may be missing, and one of two.
    @Test(arguments: [
        (list, Series.Counting(), "page.items?.isEmpty == false"),
        (list + #", "others": {"type": "array"}"#, Series.Counting(list: "items"), "page.items?.isEmpty == false"),
        (list + #", "others": {"type": "array"}"#, Series.Counting(), nil), (list, Series.Counting(list: "other"), nil),
        (list, Series.Counting(total: "items"), nil), (list, Series.Counting(more: "items"), nil),
    ])
    func `A list is named where there are several, and a rule that does not fit is refused`(
        members: String,
        counting: Series.Counting,
        condition: String?
    ) throws {
        let paths = Self.document(members, "page", #"{"type": "integer"}"#, required: "")
        func generate() throws -> String {
            try Generated(paths: paths) { $0.series["list"] = .number("page", counting) }.requests
        }
        if let condition {
            #expect(try generate().contains("while: \(condition))"))
        } else {
            #expect(throws: Refusal.self) { try generate() }
        }
        #expect(throws: Refusal.self) {
            try Generated(paths: paths) { $0.series["list"] = .number("seite", counting) }
        }
    }
}
