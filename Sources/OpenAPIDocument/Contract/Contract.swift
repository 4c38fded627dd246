import Basics
package import Foundation

/// An API's document, to compare calls with.
package final class Contract: Sendable {
    /// The name of the document's file.
    package let name: String
    let root: Node
    let schemas: Schemas
    let routes: RouteTable
    /// The query items that carry credentials.
    private let credentialItems: Set<String>
    /// Whether the values of a name are not shown.
    let isSecret: @Sendable (String) -> Bool
    /// Whether the values of secrets are compared. Recordings have none.
    let comparesSecrets: Bool
    /// The parts of the document that cannot be compared, but for schemas.
    private let ownWarnings: [Warning]
    private let parameters = Locked<[Int: Parameters]>([:])

    /// The parameters of an operation.
    struct Parameters: Sendable {
        /// Those that take query items of any name come last.
        let all: [DocumentedParameter]
        /// The references in place of parameters that lead nowhere.
        let lost: [Node]
    }

    /// - Throws: ``DocumentError/otherDocument(_:reference:)`` if a path, a parameter, a body or a reply is in another one.
    package init(
        _ document: Document,
        isSecret: @escaping @Sendable (String) -> Bool,
        comparesSecrets: Bool = true
    ) throws {
        (self.isSecret, self.comparesSecrets) = (isSecret, comparesSecrets)
        name = document.name
        root = document.root
        schemas = Schemas(of: document)
        routes = RouteTable(document)
        let parts = (root["paths"]?.members ?? []).map(\.node) + routes.operations.flatMap(\.parts)
        if let reference = parts.lazy.compactMap({ $0.text("$ref") }).first(where: { !$0.hasPrefix("#") }) {
            throw DocumentError.otherDocument(name, reference: reference)
        }
        let schemes = (root["components"]?["securitySchemes"]?.members ?? []).compactMap { [root] in
            $0.node.resolved(in: root)
        }
        credentialItems = Set(schemes.filter { $0.text("in") == "query" }.compactMap { $0.text("name") })
        document.warnOfKinds(routes.operations)
        ownWarnings = document.warnings.all
    }

    /// Reads a document, on a stack that is deep enough for values in many others.
    ///
    /// - Throws: ``DocumentError`` for what is no such document.
    package static func read(
        _ data: Data,
        name: String,
        comparesSecrets: Bool = true,
        isSecret: @escaping @Sendable (String) -> Bool
    ) throws -> Contract {
        try DeepStack.run {
            try Contract(Document(data, name: name), isSecret: isSecret, comparesSecrets: comparesSecrets)
        }
    }

    /// The parts of the document that cannot be compared, of schemas as far as they have been used.
    package var warnings: [Warning] { ownWarnings + schemas.warnings }

    /// The operations in the order of the document.
    package var operations: [DocumentedOperation] { routes.operations }

    func parameters(of index: Int) -> Parameters {
        if let known = parameters.withLock({ $0[index] }) { return known }
        let operation = routes.operations[index]
        let lost = operation.parameterNodes.filter { $0.resolved(in: root) == nil }
        let all = operation.parameters(in: root, schemas)
        let read = Parameters(all: all.filter { !$0.takesOtherItems } + all.filter(\.takesOtherItems), lost: lost)
        parameters.withLock { $0[index] = read }
        return read
    }

    /// Whether a query item carries the credential of a security scheme, which is not compared.
    func hasCredential(_ name: String) -> Bool { credentialItems.contains(name) }

    /// Whether a parameter that is missing may be a credential, which tests do not have: one of a security scheme, or a
    /// header or cookie by its name.
    func isCredential(_ parameter: DocumentedParameter) -> Bool {
        switch parameter.location {
        case .query: credentialItems.contains(parameter.name)
        case .header, .cookie: isSecret(parameter.name)
        case .path: false
        }
    }
}

extension Sequence<String> {
    /// The texts in one, such as `“a”, “b”`, or the first of many.
    var quoted: String {
        let all = Array(self)
        return all.prefix(8).map { "“\($0)”" }.joined(separator: ", ") + (all.count > 8 ? ", …" : "")
    }
}
