package import Foundation

/// A document made of a recording, for a person to edit: paths, parameters and types, and no value that was sent.
package struct Draft {
    private let calls: [(call: HARFile.Call, parts: [String])]
    private var base: URLComponents
    private let templates: PathTemplates

    /// Reads a recording. Without a base URL, its paths are those of the server that most calls with JSON went to.
    ///
    /// - Throws: ``Refusal`` for a file that is no recording, or without a call below the base.
    package init(_ data: Data, name: String, base text: String?) throws {
        let file = try HARFile(data, name: name)
        guard let base = text.flatMap({ URLComponents(string: $0) }) ?? Self.usualServer(of: file.calls),
            base.host != nil
        else { throw Refusal.badSettings("--base", reason: "the URL of a server is needed") }
        calls = file.calls.compactMap { call in call.segments(below: base).map { (call, $0) } }
        if calls.isEmpty {
            let hosts = Set(file.calls.compactMap(\.url.host)).sorted().joined(separator: ", ")
            throw Refusal.badSettings(name, reason: "no call goes below \(base.string ?? ""). There are: \(hosts)")
        }
        self.base = base
        (self.base.user, self.base.password) = (nil, nil)
        templates = PathTemplates(calls.map { ($0.parts, Self.outline(of: $0.call)) })
    }

    private static func usualServer(of calls: [HARFile.Call]) -> URLComponents? {
        var counts: [URLComponents: Int] = [:]
        for call in calls where call.reply.json != nil || call.request.json != nil {
            var server = call.url
            (server.path, server.query, server.fragment, server.user, server.password) = ("", nil, nil, nil, nil)
            counts[server, default: 0] += 1
        }
        return counts.max { ($0.value, $1.key.string ?? "") < ($1.value, $0.key.string ?? "") }?.key
    }

    /// The mark that tells a reply from those of other endpoints: the method, and the names of its members.
    private static func outline(of call: HARFile.Call) -> String {
        let object = call.reply.json?.array?.first ?? call.reply.json
        return ([call.method] + (object?.object?.names.sorted() ?? [])).joined(separator: " ")
    }

    /// The document as text.
    package var document: String {
        let paths = calls.grouped { templates.template(of: $0.parts) }.map { path, calls in
            let methods = calls.map(\.call).grouped { $0.method.lowercased() }
            return (path, JSON.members(methods.map { ($0.key, operation(path, $0.elements)) }))
        }
        let security = DraftSecurity(calls.map(\.call))
        // Only 3.2 has a field for QUERY.
        let version = calls.contains { $0.call.method == "QUERY" } ? "3.2.0" : "3.1.0"
        let members: [(String, JSON)] = [
            ("openapi", .string(version)),
            ("info", .members([("title", .string(base.host ?? "")), ("version", .string("1"))])),
            ("servers", .array([.members([("url", .string(base.string ?? ""))])])), ("paths", .members(paths)),
        ]
        return JSON.members(members + security.members).lines(width: 80).joined(separator: "\n") + "\n"
    }

    /// The parts of the bodies that the draft leaves out, each with its call.
    package var warnings: [String] {
        calls.flatMap { call, parts in
            [("request", call.request), ("reply", call.reply)].compactMap { name, content in
                content.problem.map { "\(call.method) \(templates.template(of: parts)): the \(name) \($0)" }
            }
        }
        .unique()
    }

    private func operation(_ path: String, _ calls: [HARFile.Call]) -> JSON {
        let parameters = PathTemplate(path).parameterNames.map(DraftParameter.path) + DraftParameter.others(calls)
        let replies = calls.filter { $0.status >= 200 && $0.status != 304 }.grouped(by: \.status).sorted {
            $0.key < $1.key
        }
        let responses = replies.map { status, calls in
            let content = status == 204 ? nil : content(calls.map(\.reply))
            let description = [("description", JSON.string("\(status)"))]
            return ("\(status)", JSON.members(description + (content.map { [("content", $0)] } ?? [])))
        }
        let isRequired = calls.allSatisfy { !$0.request.text.isEmpty }
        let body = content(calls.map(\.request)).map {
            JSON.members([("required", .bool(isRequired)), ("content", $0)])
        }
        return .members(
            (parameters.isEmpty ? [] : [("parameters", .array(parameters))])
                + (body.map { [("requestBody", $0)] } ?? []) + [("responses", .members(responses))]
        )
    }

    /// The media type of bodies with the schema of all of them; `nil` if there are none.
    private func content(_ contents: [HARFile.Content]) -> JSON? {
        guard let type = contents.map(\.type.text).first(where: { !$0.isEmpty }) else { return nil }
        let samples = contents.compactMap(\.json)
        let isForm = type == "application/x-www-form-urlencoded"
        let schema = samples.isEmpty ? isForm ? DraftParameter.form(contents.map(\.text)) : nil : Shape(samples).schema
        return .members([(type, .members(schema.map { [("schema", $0)] } ?? []))])
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
