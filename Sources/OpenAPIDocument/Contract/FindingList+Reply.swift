/// Compares a reply with its operation.
extension FindingList {
    mutating func checkReply(_ reply: Message, to method: String) {
        // A reply to a conditional request is not one of the operation (RFC 9110, section 15.4.5).
        guard let status, status != 304 else { return }
        guard let replies = operation.node["responses"] else {
            let reason = "the document has no replies of the operation, so that nothing can be compared"
            return add(.undocumentedStatus(status), reason, operation.node.pointer)
        }
        guard let node = replies.reply(of: status) else {
            let names = replies.members.map(\.name).filter { !$0.hasPrefix("x-") }
            let hint = names.isEmpty ? "" : ", expected \(names.joined(separator: ", "))"
            return add(.undocumentedStatus(status), "the status \(status) is not documented\(hint)", replies.pointer)
        }
        guard let declared = resolved(node, "the reply", as: .body("#")) else { return }
        for (name, node) in declared["headers"]?.members ?? [] where name.lowercased() != "content-type" {
            guard let node = resolved(node, "header “\(name)”", as: .header(name)) else { continue }
            checkHeader(DocumentedParameter(header: node, name: name, contract.schemas), in: reply)
        }
        // A reply to HEAD has the headers of a body, and no body (RFC 9110, section 9.3.2).
        guard method != "HEAD" else { return }
        let isEmpty = reply.body?.isEmpty
        guard let content = declared["content"], !content.members.isEmpty else {
            if isEmpty == false {
                add(.undocumentedBody, "the reply has a body, and the document has none", declared.pointer)
            }
            return
        }
        if isEmpty != true {
            checkContent(of: reply, in: content)
        } else if 200..<300 ~= status, status != 204, status != 205 {
            // Tests often give no more of a failure than its status.
            add(.missingBody, "the body is missing", content.pointer)
        }
    }

    private mutating func checkHeader(_ header: DocumentedParameter, in reply: Message) {
        if let text = reply[header.name] {
            checkValue(header.values(inText: text), of: header, as: .header(header.name))
        } else if header.isRequired, comparesSecrets || !contract.isSecret(header.name) {
            add(.missingHeader(header.name), "\(header.description) is missing", header.pointer)
        }
    }
}

extension Node {
    /// The reply of a status: its own, that of its class, or the default.
    package func reply(of status: Int) -> Node? {
        self["\(status)"] ?? self["\(status / 100)XX"] ?? self["\(status / 100)xx"] ?? self["default"]
    }
}
