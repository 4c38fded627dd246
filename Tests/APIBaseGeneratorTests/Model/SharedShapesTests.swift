import Foundation
import Testing

@testable import APIBaseGenerator

/// Schemas without a name that stand in several places.
@Suite struct SharedShapesTests {
    /// A document with an operation for each reply, called `a`, `b`, …, with failures of status 400.
    private func generated(_ replies: [String], failures: [String] = [], schemas: String = "{}") throws -> Generated {
        let paths = replies.indices.map { index in
            let name = ["a", "b", "c", "d"][index]
            let failure = failures.isEmpty ? "" : #", "400": {\#(content(failures[index]))}"#
            let responses = #"{"200": {\#(content(replies[index]))}\#(failure)}"#
            return #""/\#(name)": {"get": {"operationId": "get_\#(name)", "responses": \#(responses)}}"#
        }
        return try Generated(paths: "{\(paths.joined(separator: ", "))}", schemas: schemas)
    }

    private func content(_ schema: String) -> String {
        #""content": {"application/json": {"schema": \#(schema)}}"#
    }

    private func object(_ members: String) -> String { #"{"type": "object", "properties": {\#(members)}}"# }

    private func types(_ code: Generated) -> [String] {
        let pattern = /\bpublic (?:nonisolated )?(?:struct|enum) (\w+)/
        return code.files.values.flatMap { $0.matches(of: pattern).map { String($0.1) } }.sorted()
    }

    private static let address = """
        "address": {"type": "object", "description": "here", "properties": {
        "street": {"type": "string"}, "city": {"type": "string"}, "zip": {"type": "string"}}}
        """

    @Test func `Equal objects in several operations are one type, called as their members are`() throws {
        let other = Self.address.replacing(#""description": "here", "#, with: "")
        let code = try generated([
            object(#""a": {}, "# + Self.address), object(#""b": {}, "# + other), object(#""c": {}, "address": {}"#),
        ])
        #expect(types(code) == ["Address", "Reply", "Reply", "Reply"])
        #expect(code.property("address") == "public var address: Address?")
    }

    @Test func `Equal replies of several operations are one type, called by their first members`() throws {
        let reply = object(#""data": {}, "links": {}, "meta": {"type": "string"}"#)
        let code = try generated([reply, reply])
        #expect(types(code) == ["DataLinksReply"])
        #expect(code.requests.contains("typealias ModelType = DataLinksReply"))
    }

    @Test func `Equal objects in one operation are one type in it, unless they only have one member in common`() throws
    {
        let other = Self.address.replacing("\"address\"", with: "\"home\"")
        let code = try generated([object(Self.address + ", " + object(other).named("owner"))])
        #expect(types(code) == ["Address", "Owner", "Reply"])
        #expect(code.property("home") == "public var home: Address?")
        let small = object(#""x": {"type": "string"}"#)
        #expect(
            types(try generated([object(small.named("one") + ", " + small.named("two"))])) == ["One", "Reply", "Two"]
        )
    }

    @Test func `An object that equals a named schema is that one`() throws {
        let schemas = "{\(Self.address.replacing("\"address\"", with: "\"Place\""))}"
        let code = try generated([object(#""a": {}, "# + Self.address)], schemas: schemas)
        #expect(types(code) == ["Place", "Reply"])
        #expect(code.property("address") == "public var address: Place?")
    }

    @Test func `Members that several schemas have by allOf have one type`() throws {
        let kind = #""kind": {"type": "string", "enum": ["x", "y"]}"#
        let part = ##"{"$ref": "#/components/schemas/Base"}"##
        let child = #"{"allOf": [\#(part), {"properties": {"n": {"type": "integer"}}}]}"#
        let reply = ##"{"$ref": "#/components/schemas/Dog"}"##
        let code = try generated(
            [reply, reply.replacing("Dog", with: "Cat")],
            schemas: #"{"Base": \#(object(kind)), "Dog": \#(child), "Cat": \#(child)}"#
        )
        #expect(types(code) == ["BaseKind", "Cat", "Dog"])
    }

    @Test func `Equal failures are one type, others are called by their operation`() throws {
        let usual = object(#""code": {"type": "string"}, "message": {"type": "string"}"#)
        let other = object(#""reason": {"type": "string"}"#)
        let reply = #"{"type": "string"}"#
        let code = try generated([reply, reply, reply, reply], failures: [usual, other, usual, usual])
        #expect(types(code) == ["GetBError", "ShopError"])
        #expect(code.document.contains("var shopError: ShopError?"))
        #expect(code.document.contains("var shopGetBError: GetBError?"))
        let few = try Generated(
            paths: #"{"/b": {"get": {"operationId": "get_b", "responses": {"400": {\#(content(other))}}}}}"#
        )
        #expect(types(few) == ["ShopError"])
    }

    @Test func `A type is not hidden by another one of its name`() throws {
        let xyz = object(#""x": {"type": "integer"}, "y": {"type": "integer"}, "z": {"type": "integer"}"#)
        let own = object(#""p": {"type": "string"}, "q": {"type": "string"}, "r": {"type": "string"}"#)
        let deep = object(xyz.named("left"))
        let deeper = object(#""q": {}, "# + xyz.named("left"))
        let code = try generated([
            object([own.named("left"), deep.named("deep"), deeper.named("deeper")].joined(separator: ", "))
        ])
        let all = code.files.values.joined()
        #expect(all.components(separatedBy: "struct Left").count == 4)
    }

    @Test(arguments: [#""x-enum-varnames": ["low", "mid", "high"]"#, #""x-enumNames": ["low", "mid", "high"]"#])
    func `Enumerations whose values have other names are other types`(names: String) throws {
        let level = #"{"type": "integer", "enum": [0, 1, 2], \#(names)}"#
        let state = level.replacing("low", with: "off").replacing("mid", with: "starting").replacing("high", with: "on")
        #expect(
            types(try generated([object(level.named("level") + ", " + state.named("state"))])) == [
                "Level", "Reply", "State",
            ]
        )
    }

    @Test func `A member of one direction is optional in a type that goes both ways, whatever is chosen`() throws {
        let shape =
            #"{"required": ["id", "name", "size"], "properties": {"id": {"type": "integer", "readOnly": true}, "name": {}, "size": {}}}"#
        let paths =
            #"{"/a": {"get": {"operationId": "a", "responses": {"200": {\#(content(shape))}}}}, "/b": {"post": {"operationId": "b", "requestBody": {\#(content(shape))}, "responses": {}}}}"#
        for only in [[], ["a"], ["b"]] {
            let code = try Generated(paths: paths) { $0.only = only }
            #expect(code.property("id") == "public var id: Int?")
        }
    }

    @Test func `Choosing fewer operations changes no name`() throws {
        let reply = object(#""data": {}, "links": {}, "meta": {"type": "string"}"#)
        let responses = #"{"200": {\#(content(reply))}}"#
        let paths =
            #"{"/a": {"get": {"operationId": "a", "responses": \#(responses)}}, "/b": {"get": {"operationId": "b", "responses": \#(responses)}}}"#
        #expect(types(try Generated(paths: paths) { $0.only = ["b"] }) == ["DataLinksReply"])
    }

    @Test func `A list of values that only narrows a named one is declared once`() throws {
        let part = ##"{"$ref": "#/components/schemas/Status"}"##
        func code(_ values: String) throws -> Generated {
            let status = #"{"allOf": [\#(part), {"enum": [\#(values)]}]}"#
            let reply = object("\"status\": \(status)")
            return try generated([reply], schemas: #"{"Status": {"type": "string", "enum": ["a", "b", "c"]}}"#)
        }
        #expect(types(try code(#""a", "b""#)) == ["Reply", "StatusValue"])
        #expect(types(try code(#""c", "b", "a""#)) == ["Reply", "Status"])
    }
}

extension String {
    /// An object as a member.
    fileprivate func named(_ name: String) -> String { "\"\(name)\": \(self)" }
}
