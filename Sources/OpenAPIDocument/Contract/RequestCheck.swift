import Foundation

/// Compares a request with an operation.
struct RequestCheck {
    private let contract: Contract
    private let request: SentRequest
    private let index: Int
    private var list: FindingList

    init(_ contract: Contract, _ request: SentRequest, operation: Int) {
        (self.contract, self.request, index) = (contract, request, operation)
        list = FindingList(contract, contract.operations[operation], status: nil)
    }

    var findings: [ContractFinding] { list.findings }

    mutating func checkParameters(_ reader: ParameterReader) {
        var reader = reader
        // Those that take any other query items come last.
        let parameters = contract.parameters(of: index)
        let open = parameters.filter { $0.takesOtherItems(contract.schemas) }
        for parameter in parameters.filter({ !$0.takesOtherItems(contract.schemas) }) + open {
            let values = reader.values(of: parameter)
            if !values.isEmpty {
                list.checkValue(values, of: parameter, as: .parameter(parameter.name))
            } else if parameter.isRequired {
                list.add(.missingParameter(parameter.name), "\(parameter.description) is missing", parameter.pointer)
            }
        }
        let fixed = list.operation.path.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let known = Set(fixed.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
        for name in reader.unread.unique() where !known.contains(name) && !contract.credentialItems.contains(name) {
            let names = parameters.filter { $0.location == .query }.map(\.name)
            let hint = names.isEmpty ? "the operation has none" : "expected some of \(names.quoted)"
            list.add(
                .undocumentedParameter(name),
                "query item “\(name)” is not documented; \(hint)",
                pointer("parameters")
            )
        }
    }

    mutating func checkBody() {
        guard let body = request.message.body.map({ [UInt8]($0) }) else { return }
        let node = list.operation.node["requestBody"]
        guard let declared = node?.resolved(in: contract.root) else {
            if !body.isEmpty, node == nil {
                list.add(
                    .undocumentedBody,
                    "the operation has no body, and the request has one",
                    pointer("requestBody")
                )
            }
            return
        }
        guard !body.isEmpty else {
            if declared.flag("required") { list.add(.missingBody, "the body is missing", declared.pointer) }
            return
        }
        guard let content = declared["content"], !content.members.isEmpty else { return }
        list.checkContent(of: request.message, body, in: content)
    }

    /// The place of a field of the operation, or of the operation if it has no such field.
    private func pointer(_ field: String) -> String {
        (list.operation.node[field] ?? list.operation.node).pointer
    }
}

extension DocumentedParameter {
    /// Whether it has query items of any name as its members.
    fileprivate func takesOtherItems(_ schemas: Schemas) -> Bool {
        guard location == .query, explodes, style == "form", let schema else { return false }
        let outline = schemas.outline(of: schema)
        return outline.types.contains(.object) && outline.allowsOtherMembers && !outline.types.isAll
    }
}
