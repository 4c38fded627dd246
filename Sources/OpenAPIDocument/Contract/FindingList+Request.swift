/// Compares a request with its operation.
extension FindingList {
    mutating func checkParameters(_ known: Contract.Parameters, _ reader: ParameterReader) {
        var reader = reader
        for parameter in known.all {
            let values = reader.values(of: parameter)
            if !values.isEmpty {
                checkValue(values, of: parameter, as: .parameter(parameter.name))
            } else if parameter.isRequired, !contract.isCredential(parameter) {
                add(.missingParameter(parameter.name), "\(parameter.description) is missing", parameter.pointer)
            }
        }
        for node in known.lost {
            let name = node.text("$ref")?.split(separator: "/").last.map(String.init) ?? ""
            _ = resolved(node, "a parameter", as: .parameter(name))
        }
        // Any item may be one of these.
        let unread = reader.unread.unique()
        guard known.lost.isEmpty, !unread.isEmpty else { return }
        let fixed = operation.path.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let fixedNames = Set(fixed.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
        let names = known.all.filter { $0.location == .query }.map(\.name)
        let hint = names.isEmpty ? "the operation has none" : "the operation has \(names.quoted)"
        let unknown = unread.lazy.filter { [contract] in !fixedNames.contains($0) && !contract.hasCredential($0) }
        for name in unknown.prefix(1_000) {
            let reason = "query item “\(name.shortened())” is not documented; \(hint)"
            add(.undocumentedParameter(name), reason, pointer("parameters"))
        }
    }

    mutating func checkRequestBody(of request: SentRequest) {
        let node = operation.node["requestBody"]
        guard let node else {
            if request.message.body?.isEmpty == false {
                add(.undocumentedBody, "the operation has no body, and the request has one", pointer("requestBody"))
            }
            return
        }
        guard let declared = resolved(node, "the body", as: .body("#")) else { return }
        if request.message.body?.isEmpty == true {
            if declared.flag("required") { add(.missingBody, "the body is missing", declared.pointer) }
        } else if let content = declared["content"], !content.members.isEmpty {
            checkContent(of: request.message, in: content)
        }
    }

    /// The place of a field of the operation, or of the operation if it has no such field.
    private func pointer(_ field: String) -> String { (operation.node[field] ?? operation.node).pointer }
}
