import Basics
import Foundation

/// What an API's document says of its calls.
package final class Contract: Sendable {
    /// The name of the document's file.
    package let name: String
    let root: Node
    let schemas: Schemas
    let routes: RouteTable
    /// The query items that carry credentials.
    let credentialItems: Set<String>
    /// Whether the values of a name are not shown.
    let isSecret: @Sendable (String) -> Bool
    /// Whether they are compared. Those of a recording are not there.
    let comparesSecrets: Bool
    private let parameters = Locked<[Int: [DocumentedParameter]]>([:])

    package init(_ document: Document, isSecret: @escaping @Sendable (String) -> Bool, comparesSecrets: Bool = true) {
        (self.isSecret, self.comparesSecrets) = (isSecret, comparesSecrets)
        name = document.name
        root = document.root
        schemas = Schemas(document.root, dialect: document.isVersion30 ? .openAPI30 : .openAPI31)
        routes = RouteTable(document)
        let schemes = document.root["components"]?["securitySchemes"]?.members ?? []
        credentialItems = Set(schemes.filter { $0.node.text("in") == "query" }.compactMap { $0.node.text("name") })
    }

    /// The operations in the order of the document.
    package var operations: [DocumentedOperation] { routes.operations }

    /// The operation of a request, and the parameters in its path; `nil` if the document has none.
    package func operation(of request: SentRequest) -> DocumentedOperation? {
        if case .operation(let index, _) = routes.match(request) { routes.operations[index] } else { nil }
    }

    func parameters(of operation: Int) -> [DocumentedParameter] {
        if let known = parameters.withLock({ $0[operation] }) { return known }
        let read = routes.operations[operation].parameters(in: root)
        parameters.withLock { $0[operation] = read }
        return read
    }

    /// What a request has, or lacks, otherwise than the document says.
    package func findings(in request: SentRequest) -> [ContractFinding] {
        switch routes.match(request) {
        case .operation(let index, let pathParameters):
            var check = RequestCheck(self, request, operation: index)
            check.checkParameters(ParameterReader(request, pathParameters: pathParameters, schemas: schemas))
            check.checkBody()
            return check.findings
        case .otherMethods(let indices):
            let methods = indices.map { routes.operations[$0].method }.unique().formatted
            let path = routes.operations[indices[0]].path
            return [undocumented(request, "\(path) has \(methods), not \(request.method)", operations[indices[0]].item)]
        case .none(let nearest):
            let hint = nearest.map { "; the nearest path is \(operations[$0].path)" } ?? ""
            let place = nearest.map { operations[$0].item } ?? root["paths"] ?? root
            return [undocumented(request, "the document has no such path\(hint)", place)]
        }
    }

    /// What a reply has, or lacks, otherwise than the document says. Nothing for a request of no operation.
    package func findings(in reply: Message, status: Int, to request: SentRequest) -> [ContractFinding] {
        guard case .operation(let index, _) = routes.match(request) else { return [] }
        var check = ReplyCheck(self, reply, status: status, method: request.method, operation: index)
        check.run()
        return check.findings
    }

    private func undocumented(_ request: SentRequest, _ reason: String, _ place: Node) -> ContractFinding {
        let route = "\(request.method) \(request.url.percentEncodedPath)"
        return ContractFinding(
            deviation: .undocumentedOperation(route),
            operation: route,
            status: nil,
            reason: reason,
            pointer: place.pointer,
            document: name
        )
    }
}

extension Document {
    fileprivate var isVersion30: Bool { root.text("openapi")?.hasPrefix("3.0") ?? false }
}

extension Sequence<String> {
    /// The texts in one, such as `“a”, “b”`, or the first of many.
    var quoted: String {
        let all = Array(self)
        return all.prefix(8).map { "“\($0)”" }.joined(separator: ", ") + (all.count > 8 ? ", …" : "")
    }

    fileprivate var formatted: String { sorted().joined(separator: " and ") }
}
