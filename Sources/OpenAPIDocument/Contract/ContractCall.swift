import Foundation

/// A request, with the operation of the document that it calls.
package struct ContractCall: Sendable {
    let contract: Contract
    let request: SentRequest
    private let match: RouteTable.Match

    package init(_ request: SentRequest, in contract: Contract) {
        (self.request, self.contract) = (request, contract)
        match = contract.routes.match(request)
    }

    /// The operation; `nil` if the document has none.
    package var operation: DocumentedOperation? {
        if case .operation(let index, _) = match { contract.operations[index] } else { nil }
    }

    /// Where the request differs from the document.
    package var findings: [ContractFinding] {
        let operations = contract.operations
        switch match {
        case .operation(let index, let pathParameters):
            var list = FindingList(contract, operations[index], status: nil)
            let reader = ParameterReader(request, pathParameters, contract.schemas)
            list.checkParameters(contract.parameters(of: index), reader)
            list.checkRequestBody(of: request)
            return list.findings
        case .otherMethods(let indices):
            let methods = indices.map { operations[$0].method }.unique().sorted().joined(separator: " and ")
            let first = operations[indices[0]]
            return [undocumented("\(first.path) has \(methods), not \(request.method.shortened())", first.item)]
        case .none(let nearest):
            let hint = nearest.map { "; the nearest path is \(operations[$0].path)" } ?? ""
            let place = nearest.map { operations[$0].item } ?? contract.root["paths"] ?? contract.root
            return [undocumented("the document has no such path\(hint)", place)]
        }
    }

    /// Where a reply differs from the document; nothing for a request of no operation. One of a recording has no secrets.
    package func findings(in reply: Message, status: Int, isRecorded: Bool = false) -> [ContractFinding] {
        guard let operation else { return [] }
        var list = FindingList(contract, operation, status: status, isRecorded: isRecorded)
        list.checkReply(reply, to: request.method)
        return list.findings
    }

    private func undocumented(_ reason: String, _ place: Node) -> ContractFinding {
        let route = "\(request.method) \(request.url.percentEncodedPath)"
        return ContractFinding(
            deviation: .undocumentedOperation(route),
            operation: route.shortened(200).onOneLine,
            status: nil,
            reason: reason.onOneLine,
            pointer: place.pointer,
            document: contract.name
        )
    }
}
