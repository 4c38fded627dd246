import Foundation

/// The findings in one request or one reply.
struct FindingList {
    let contract: Contract
    let operation: DocumentedOperation
    /// The status of the reply; `nil` for a request.
    let status: Int?
    /// Whether the values of secrets are compared.
    let comparesSecrets: Bool
    private(set) var findings: [ContractFinding] = []
    /// Whether names in the places of findings are secret, as far as that has been asked.
    private var secrets: [String: Bool] = [:]

    init(_ contract: Contract, _ operation: DocumentedOperation, status: Int?, isRecorded: Bool = false) {
        (self.contract, self.operation, self.status) = (contract, operation, status)
        comparesSecrets = contract.comparesSecrets && !isRecorded
    }

    mutating func add(_ deviation: Deviation, _ reason: String, _ pointer: String) {
        findings.append(
            ContractFinding(
                deviation: deviation,
                operation: operation.route,
                status: status,
                reason: reason.onOneLine,
                pointer: pointer,
                document: contract.name
            )
        )
    }

    /// The target of a reference, or the value itself; `nil` with a finding if the reference leads nowhere.
    mutating func resolved(_ node: Node, _ subject: String, as deviation: Deviation) -> Node? {
        if let target = node.resolved(in: contract.root) { return target }
        let reference = (node.text("$ref") ?? "").shortened()
        add(deviation, "\(subject) cannot be compared, since “\(reference)” leads nowhere", node.pointer)
        return nil
    }

    /// Compares the readings of a parameter or a header with its schema: one of them has to fit.
    mutating func checkValue(_ values: [JSON], of parameter: DocumentedParameter, as deviation: Deviation) {
        guard let schema = parameter.schema, !values.isEmpty else { return }
        if parameter.allowsEmptyValue, values.contains(.string("")) { return }
        let all = values.map { findings(in: $0, schema, isText: !parameter.isJSON) }
        guard !all.contains(where: \.isEmpty) else { return }
        let isCredential = parameter.location == .query && contract.hasCredential(parameter.name)
        let isSecret = isCredential || isSecret(parameter.name)
        for finding in all.last ?? [] {
            let place = finding.place == "#" ? "" : " \(finding.place)"
            guard let message = message(of: finding, isSecret, hasName: !parameter.isJSON) else { continue }
            add(deviation, "\(parameter.description)\(place) \(message)", finding.schema)
        }
    }

    /// Compares a body with its schema.
    mutating func checkBody(_ value: JSON, _ schema: Node?, isText: Bool = false) {
        guard let schema else { return }
        for finding in findings(in: value, schema, isText: isText) {
            let isUnknown = finding.kind == .unknownMember
            let deviation = isUnknown ? Deviation.unknownMember(finding.place) : .body(finding.place)
            guard let message = message(of: finding, false, hasName: false) else { continue }
            add(deviation, "body \(finding.place) \(message)", finding.schema)
        }
    }

    /// The message without the value of a secret, or of a whole text that has no name; `nil` if that is not compared.
    private mutating func message(of finding: SchemaFinding, _ isSecret: Bool, hasName: Bool) -> String? {
        let names = finding.place.split(separator: "/").map { String($0).unescapedFromPointer }
        if isSecret || names.contains(where: { self.isSecret($0) }) {
            return comparesSecrets || finding.kind != .misfit ? finding.messageWithoutValue : nil
        }
        return hasName || finding.place != "#" ? finding.message : finding.messageWithoutValue
    }

    private mutating func isSecret(_ name: String) -> Bool {
        if let known = secrets[name] { return known }
        let isSecret = contract.isSecret(name)
        secrets[name] = isSecret
        return isSecret
    }

    private func findings(in value: JSON, _ schema: Node, isText: Bool) -> [SchemaFinding] {
        let direction: Direction = status == nil ? .request : .reply
        return contract.schemas.findings(in: value, schema: schema, direction: direction, isText: isText)
    }

    /// The media type of a body, as the document has it; `nil` with a finding if the document has another one.
    mutating func mediaType(of message: Message, in content: Node) -> Node? {
        let types = content.members.map { (type: MediaType($0.name), name: $0.name, node: $0.node) }
        let own = message.mediaType ?? MediaType("")
        // Of several, the most specific counts: that with most of the same parameters, then the longest range.
        let sent = MediaType.parameters(of: message["content-type"] ?? "")
        let equal = types.filter { $0.type == own }.map { ($0.node, MediaType.parameters(of: $0.name)) }
        let fitting = equal.filter { $0.1.isSubset(of: sent) }.max { $0.1.count < $1.1.count }
        if let node = (fitting ?? equal.first)?.0
            ?? types.filter({ own.isIncluded(in: $0.type) }).max(by: { $0.name.count < $1.name.count })?.node
        {
            return node
        }
        let names = content.members.map(\.name).quoted
        let reason = own.text.isEmpty ? "the body has no media type" : "the body is “\(own.text.shortened())”"
        add(.undocumentedMediaType(own.text), "\(reason), expected \(names)", content.pointer)
        return nil
    }

    /// Compares a body with what the document says of its media type. If the body is not known, only that is compared.
    mutating func checkContent(of message: Message, in content: Node) {
        if message.body == nil, message.mediaType == nil { return }
        guard let media = mediaType(of: message, in: content), let type = message.mediaType, let body = message.body
        else { return }
        if type.isJSON, !type.isInPieces {
            do {
                checkBody(try JSONReader.read(body), media["schema"])
            } catch {
                let place = "line \(error.line), column \(error.column)"
                add(.body("#"), "body is not JSON: \(error.reason) (\(place))", media.pointer)
            }
        } else if let form = FormBody(message, type, media, contract.schemas) {
            checkBody(form.value, media["schema"], isText: true)
        }
    }
}

extension String {
    /// The text with the escapes of JSON in place of what ends a line or does not show.
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return String(JSON.string(self).line.dropFirst().dropLast()).replacing("\\\"", with: "\"")
    }
}
