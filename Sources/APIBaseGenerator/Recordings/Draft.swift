package import Foundation

/// A document made of a recording, for a person to edit: paths, parameters and types, and no value that was sent.
package struct Draft {
    private let calls: [(call: HARFile.Call, segments: [String])]
    private let base: URL
    private let templates: PathTemplates

    /// - Parameter base: The URL before all paths; by default the server that most calls went to.
    /// - Throws: ``Refusal`` for a file that is no recording, or without a call below the base.
    package init(_ data: Data, name: String, base: URL?) throws {
        let file = try HARFile(data, name: name)
        guard let base = base ?? Self.usualServer(of: file.calls) else {
            throw Refusal.badSettings(name, reason: "the recording has no calls")
        }
        calls = file.calls.compactMap { call in Self.segments(of: call.url, below: base).map { (call, $0) } }
        guard !calls.isEmpty else {
            let first = file.calls.first.map { " The first call is \($0.url.scheme ?? "")://\($0.url.host ?? "")…" } ?? ""
            throw Refusal.badSettings(name, reason: "no call goes below \(base.absoluteString).\(first)")
        }
        self.base = base
        templates = PathTemplates(calls.map { ($0.segments, Self.outline(of: $0.call)) })
    }

    /// The document as text.
    package func document() -> String {
        var paths: [(path: String, methods: [(method: String, calls: [HARFile.Call])])] = []
        for (call, segments) in calls {
            let path = templates.template(of: segments)
            let place = paths.firstIndex { $0.path == path } ?? paths.endIndex
            if place == paths.endIndex { paths.append((path, [])) }
            if let index = paths[place].methods.firstIndex(where: { $0.method == call.method }) {
                paths[place].methods[index].calls.append(call)
            } else {
                paths[place].methods.append((call.method, [call]))
            }
        }
        let items = paths.map { path, methods in
            (path, JSON.members(methods.map { ($0.method.lowercased(), operation(path, $0.calls)) }))
        }
        let schemes = DraftSecurity(calls.map(\.call))
        var members: [(String, JSON)] = [
            ("openapi", .string("3.1.0")),
            ("info", .members([("title", .string(base.host ?? "API")), ("version", .string("1"))])),
            ("servers", .array([.members([("url", .string(base.absoluteString))])])),
            ("paths", .members(items)),
        ]
        if let security = schemes.requirement { members.append(("security", security)) }
        if let components = schemes.components { members.append(("components", components)) }
        return JSON.members(members).lines(width: 80).joined(separator: "\n") + "\n"
    }

    private func operation(_ path: String, _ calls: [HARFile.Call]) -> JSON {
        let parameters = PathTemplate(path).parameterNames.map { DraftParameter.path($0) } + DraftParameter.others(calls)
        var members: [(String, JSON)] = []
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let body = requestBody(calls) { members.append(("requestBody", body)) }
        members.append(("responses", responses(calls)))
        return .members(members)
    }

    private func requestBody(_ calls: [HARFile.Call]) -> JSON? {
        guard let type = calls.map(\.requestType).first(where: { !$0.isEmpty }) else { return nil }
        let media = MediaType(type).text
        var shape = Shape()
        for body in calls.compactMap(\.requestJSON) { shape.add(body) }
        let schema: JSON =
            shape.count > 0
            ? shape.schema()
            : media == "application/x-www-form-urlencoded" ? DraftParameter.form(calls) : .members([])
        return .members([
            ("required", .bool(calls.allSatisfy { $0.requestText?.isEmpty == false })),
            ("content", .members([(media, .members([("schema", schema)]))])),
        ])
    }

    private func responses(_ calls: [HARFile.Call]) -> JSON {
        let statuses = Set(calls.map(\.status)).filter { $0 >= 200 && $0 != 304 }.sorted()
        return .members(
            statuses.map { status in
                let replies = calls.filter { $0.status == status }
                var members: [(String, JSON)] = [("description", .string("\(status)"))]
                if let type = replies.map(\.replyType).first(where: { !$0.isEmpty }), status != 204 {
                    var shape = Shape()
                    for reply in replies.compactMap(\.replyJSON) { shape.add(reply) }
                    let schema = shape.count > 0 ? [("schema", shape.schema())] : []
                    members.append(("content", .members([(MediaType(type).text, .members(schema))])))
                }
                return ("\(status)", .members(members))
            }
        )
    }

    // MARK: Places

    private static func usualServer(of calls: [HARFile.Call]) -> URL? {
        var counts: [String: Int] = [:]
        for call in calls where call.replyJSON != nil || call.requestJSON != nil {
            guard let scheme = call.url.scheme, let host = call.url.host else { continue }
            counts["\(scheme)://\(host)\(call.url.port.map { ":\($0)" } ?? "")", default: 0] += 1
        }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.flatMap { URL(string: $0.key) }
    }

    /// The parts of a path below the base, as they stand in the URL; `nil` for another place.
    static func segments(of url: URL, below base: URL) -> [String]? {
        guard url.host == base.host, url.port == base.port, url.scheme == base.scheme else { return nil }
        let (path, start) = (parts(url), parts(base))
        return path.starts(with: start) ? Array(path.dropFirst(start.count)) : nil
    }

    private static func parts(_ url: URL) -> [String] {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        return path.split(separator: "/").map(String.init)
    }

    /// What tells a reply from those of other endpoints: the method, and the names of its members.
    private static func outline(of call: HARFile.Call) -> String {
        let json = call.replyJSON
        let object = json?.array?.first ?? json
        return ([call.method] + (object?.object?.names.sorted() ?? [])).joined(separator: " ")
    }
}
