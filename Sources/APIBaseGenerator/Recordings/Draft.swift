package import Foundation
import OpenAPIDocument

/// A document made of a recording, for a person to edit: paths, parameters and types, and no value that was sent.
package struct Draft {
    private let base: URLComponents
    /// The calls below the base, but for those that are no operations, with the templates of their paths.
    private let below: [(call: HARFile.Call, parts: [String], path: String)]
    /// The calls of the operations.
    private let calls: [HARFile.Call]
    private let operations: [DraftOperation]
    /// The headers that belong to all operations, with the numbers of their calls.
    private let headers: [(name: String, count: Int)]

    /// Reads a recording. Without a base URL, its paths are those of the server that most calls with JSON went to.
    ///
    /// - Throws: ``Refusal`` for a file that is no recording, or without a call below the base that was answered.
    package init(_ data: Data, name: String, base text: String?) throws {
        let file = try HARFile(data, name: name)
        guard var base = text.flatMap({ URLComponents(string: $0) }) ?? Self.usualServer(of: file.calls),
            base.host != nil
        else { throw Refusal.badSettings("--base", reason: "the URL of a server is needed") }
        // What a browser asks on its own is no operation, nor is what says less than the same call with GET.
        let below = file.calls.filter { !["OPTIONS", "HEAD"].contains($0.method) }
            .compactMap { call in call.segments(below: base).map { (call: call, parts: $0) } }
        if below.isEmpty {
            let hosts = Set(file.calls.compactMap(\.url.host)).sorted().joined(separator: ", ")
            throw Refusal.badSettings(name, reason: "no call goes below \(base.string ?? ""). There are: \(hosts)")
        }
        (base.user, base.password) = (nil, nil)
        let templates = PathTemplates(below.map { ($0.parts, Self.outline(of: $0.call)) })
        self.below = below.map { ($0.call, $0.parts, templates.template(of: $0.parts)) }
        let groups = self.below.filter { $0.call.status >= 200 }.grouped(by: \.path)
            .flatMap { path, calls in
                calls.map(\.call).grouped(by: \.method).map { (path: path, method: $0.key, calls: $0.elements) }
            }
            .filter { $0.calls.contains(where: \.isAnswered) }
        guard !groups.isEmpty else {
            throw Refusal.badSettings(name, reason: "no call below \(base.string ?? "") has a reply")
        }
        let calls = groups.flatMap(\.calls)
        // In the only operation of a recording, they may as well be its own.
        let headers = groups.count > 1 ? Self.commonHeaders(of: calls) : []
        let names = Set(headers.map(\.name))
        operations = groups.map { DraftOperation($0.path, $0.method, $0.calls, without: names) }
        (self.base, self.calls, self.headers) = (base, calls, headers)
    }

    private static func usualServer(of calls: [HARFile.Call]) -> URLComponents? {
        let servers = calls.filter { $0.reply.json != nil || $0.request.json != nil }.map { call in
            var server = call.url
            (server.path, server.query, server.fragment, server.user, server.password) = ("", nil, nil, nil, nil)
            return server
        }
        return servers.grouped { $0 }.max { $0.elements.count < $1.elements.count }?.key
    }

    /// The mark that tells a reply from those of other endpoints: the method, and the names of its members.
    private static func outline(of call: HARFile.Call) -> String {
        let object = call.reply.json?.array?.first ?? call.reply.json
        return ([call.method] + (object?.object?.names.sorted() ?? [])).joined(separator: " ")
    }

    /// The headers of at least nine of ten calls, with their numbers: they belong to the API, not to an operation.
    private static func commonHeaders(of calls: [HARFile.Call]) -> [(name: String, count: Int)] {
        calls.flatMap(DraftParameter.headers).grouped { $0 }.map { ($0.key, $0.elements.count) }
            .filter { $0.1 * 10 >= calls.count * 9 }
    }

    /// The document as text.
    package var document: String {
        let (paths, schemas) = parts(DraftSchema.all(in: operations.flatMap(\.messages)))
        let security = DraftSecurity.schemes(of: calls)
        let components: JSON = ["schemas": schemas.unlessEmpty, "securitySchemes": security.unlessEmpty]
        let document: JSON = [
            // Only 3.2 has a field for QUERY.
            "openapi": operations.contains { $0.method == "QUERY" } ? "3.2.0" : "3.1.0",
            "info": ["title": .string(base.host ?? ""), "version": "1"],
            "servers": .array([["url": .string(base.string ?? "")]]),
            "paths": paths,
            "security": security.unlessEmpty.map { .array([.members($0.pairs.map { ($0.name, .array([])) })]) },
            "components": components.unlessEmpty,
        ]
        return document.lines(width: 80).joined(separator: "\n") + "\n"
    }

    /// The calls and headers that the draft leaves out.
    package var warnings: [String] {
        let problems = below.flatMap { call, parts, path -> [String] in
            let isMissing = !operations.contains { $0.method == call.method && PathTemplates.fits(parts, $0.path) }
            let problems = [("request", call.request), ("reply", call.reply)].compactMap { name, content in
                content.problem.map { "the \(name) \($0)" }
            }
            return (problems + (isMissing ? ["no call has a reply, so it is left out"] : []))
                .map { "\(call.method) \(path): \($0)" }
        }
        let common = headers.map { name, count in
            "the header “\(name)” of \(count) of \(calls.count) calls is left out: set it for all, in configure() of the "
                + "class that is yours, with headers[\"\(name)\"] = …"
        }
        return problems.unique() + common
    }

    /// The paths, and the shared schemas: those that are referred to twice once others are.
    private func parts(_ shared: [DraftSchema]) -> (paths: JSON, schemas: JSON) {
        var writer = ShapeWriter(shared)
        let paths = operations.grouped(by: \.path).map { path, operations in
            (path, JSON.members(operations.map { ($0.method.lowercased(), $0.json(&writer)) }))
        }
        let schemas = writer.schemas()
        let used = zip(shared, writer.uses).filter { $0.1 > 1 }.map(\.0)
        return used.count < shared.count ? parts(DraftSchema.named(used)) : (.members(paths), schemas)
    }
}

extension HARFile.Content {
    /// Why the draft does not say all of it.
    fileprivate var problem: String? {
        guard let json else {
            return type.isJSON && !text.isEmpty ? "is said to be JSON and is none that can be read" : nil
        }
        guard json.reaches(Shape.depthLimit) else { return nil }
        return "is nested more than \(Shape.depthLimit) deep, so it can be any JSON there"
    }
}
