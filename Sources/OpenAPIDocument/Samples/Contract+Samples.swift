package import Foundation

/// A reply as a document shows it.
package struct SampleReply: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: Data
}

extension ContractCall {
    /// A successful reply that fits the document: an example of it, or else a value made of the schema.
    ///
    /// With `echoes`, the members of a JSON body that the reply has too are those of the request. The result is `nil`
    /// if the document has no such operation, or no such reply.
    package func sampleReply(echoes: Bool) -> SampleReply? {
        guard let operation, let replies = operation.node["responses"]?.members else {
            return nil
        }
        let successes = replies.filter { $0.name.hasPrefix("2") }.sorted { $0.name < $1.name }
        let others = replies.filter { $0.name == "default" } + replies.filter { !$0.name.hasPrefix("x-") }
        guard let (name, node) = (successes + others).first, let reply = node.resolved(in: contract.root) else {
            return nil
        }
        var headers: [(name: String, value: String)] = []
        for (name, node) in reply["headers"]?.members ?? [] {
            guard let node = node.resolved(in: contract.root), node.flag("required"), let schema = node["schema"]
            else { continue }
            headers.append((name, contract.sample(node, schema, .reply).text ?? ""))
        }
        let content = reply["content"]?.members ?? []
        let status = Int(name) ?? name.first?.wholeNumberValue.map { $0 * 100 } ?? 200
        guard let (type, media) = content.first(where: { MediaType($0.name).isJSON }) ?? content.first else {
            return SampleReply(status: status, headers: headers, body: Data())
        }
        let isJSON = MediaType(type).isJSON
        headers.append(("Content-Type", MediaType(type).sample ?? type))
        var value = contract.sample(media, media["schema"], .reply)
        if echoes, isJSON, let sent = try? JSONReader.read(request.message.body ?? Data()) {
            value = contract.echo(sent, in: value, media["schema"])
        }
        let text = isJSON ? value.line : value.text ?? "text"
        return SampleReply(status: status, headers: headers, body: Data(text.utf8))
    }

}

extension Contract {
    /// An example that fits the schema, or a value made of it.
    package func sample(_ shown: Node, _ schema: Node?, _ direction: Direction) -> JSON {
        let all = shown.examples(in: root)
        guard let schema else { return all.first ?? .members([]) }
        if let fitting = all.first(where: { schemas.findings(in: $0, schema: schema, direction: direction).isEmpty }) {
            return fitting
        }
        var maker = SampleMaker(root, schemas, direction: direction)
        return maker.value(of: schema)
    }

    /// The value with the members of another one that it has too, or that its schema names.
    fileprivate func echo(_ sent: JSON, in value: JSON, _ schema: Node?) -> JSON {
        guard case .object(var members) = value, let schema, sent.object != nil else { return value }
        let names = schemas.outline(of: schema).members
        let written = names.filter { $0.value.resolved(in: root)?.flag("writeOnly") == true }
        for (name, member) in sent.pairs where members[name] != nil || names[name] != nil && written[name] == nil {
            var changed = members
            changed[name] = member
            if schemas.findings(in: .object(changed), schema: schema, direction: .reply).isEmpty { members = changed }
        }
        return .object(members)
    }
}

extension MediaType {
    /// A type that a range includes; `nil` for one type.
    fileprivate var sample: String? {
        guard isRange else { return nil }
        let types = ["image": "png", "audio": "mpeg", "video": "mp4", "text": "plain", "font": "woff2"]
        let kind = String(text.prefix { $0 != "/" })
        return types[kind].map { "\(kind)/\($0)" } ?? "application/json"
    }
}
