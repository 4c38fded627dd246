import Foundation

/// Compares a reply with those of an operation.
struct ReplyCheck {
    private let contract: Contract
    private let reply: Message
    private let method: String
    private var list: FindingList

    init(_ contract: Contract, _ reply: Message, status: Int, method: String, operation: Int) {
        (self.contract, self.reply, self.method) = (contract, reply, method)
        list = FindingList(contract, contract.operations[operation], status: status)
    }

    var findings: [ContractFinding] { list.findings }

    mutating func run() {
        guard let status = list.status, let replies = list.operation.node["responses"] else { return }
        guard let node = replies.reply(of: status) else {
            let names = replies.members.map(\.name).filter { !$0.hasPrefix("x-") }
            let hint = names.isEmpty ? "" : ", expected \(names.joined(separator: ", "))"
            list.add(.undocumentedStatus(status), "the status \(status) is not documented\(hint)", replies.pointer)
            return
        }
        guard let declared = node.resolved(in: contract.root) else { return }
        for (name, node) in declared["headers"]?.members ?? [] where name.lowercased() != "content-type" {
            guard let node = node.resolved(in: contract.root) else { continue }
            checkHeader(DocumentedParameter(header: node, name: name))
        }
        // A reply to HEAD, and one with 304, has the headers of a body and no body (RFC 9110, section 6.4.1).
        guard method != "HEAD", status != 304, let body = reply.body.map({ [UInt8]($0) }) else { return }
        guard let content = declared["content"], !content.members.isEmpty else {
            if !body.isEmpty {
                list.add(.undocumentedBody, "the reply has a body, and the document has none", declared.pointer)
            }
            return
        }
        if !body.isEmpty {
            list.checkContent(of: reply, body, in: content)
        } else if status < 400 {
            // Tests often give no more of a failure than its status.
            list.add(.missingBody, "the body is missing", content.pointer)
        }
    }

    private mutating func checkHeader(_ header: DocumentedParameter) {
        guard let text = reply[header.name] else {
            if header.isRequired {
                list.add(.missingHeader(header.name), "\(header.description) is missing", header.pointer)
            }
            return
        }
        list.checkValue(header.values(inText: text, contract.schemas), of: header, as: .header(header.name))
    }
}

extension Node {
    /// The reply of a status: its own, that of its class, or the default.
    package func reply(of status: Int) -> Node? {
        self["\(status)"] ?? self["\(status / 100)XX"] ?? self["\(status / 100)xx"] ?? self["default"]
    }
}
