import OpenAPIDocument

/// The operations of a document in their order, with the names of their classes.
enum OperationOutlines {
    static func read(_ document: Document, overrides: [String: String]) -> [OperationOutline] {
        var names = NameTable(taken: ReservedNames.types, ignoringCase: true)
        let operations = document.operations()
        let functions = operations.compactMap(functionName).grouped { $0 }
        let unique = Set(functions.filter { $0.elements.count == 1 }.map(\.key))
        return operations.map { operation in
            let function = functionName(operation).flatMap { unique.contains($0) ? $0 : nil }
            let isLarge = operations.count > smallCount
            return OperationOutline(
                method: operation.method,
                path: operation.path,
                node: operation.node,
                item: operation.item,
                leafName: names.take(leafName(operation, function, overrides)),
                group: tag(of: operation.node) ?? (isLarge ? firstPart(of: operation.path) : "")
            )
        }
    }

    /// So many operations are still found in one file.
    private static let smallCount = 30

    private static func tag(of node: Node) -> String? {
        node["tags"]?.elements.first?.json.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The first part of a path that says what it is about, which `api` and `v2` do not unless nothing follows.
    private static func firstPart(of path: String) -> String {
        let parts = path.split(separator: "/").filter { !$0.contains("{") }
        let group = parts.first { $0 != "api" && $0.wholeMatch(of: /v[0-9.]+/) == nil } ?? parts.first
        return group.map(String.init) ?? ""
    }

    /// `ListPetsRequest`, from the ID of the operation or else from method and path.
    private static func leafName(
        _ operation: DocumentedOperation,
        _ function: String?,
        _ overrides: [String: String]
    ) -> String {
        let id = operation.id.flatMap { Words($0).isEmpty ? nil : $0 }
        let name =
            overrides[id ?? operation.route]
            ?? Identifier.type(function ?? id ?? words(of: operation.path, operation.method.lowercased()))
        return name.hasSuffix("Request") ? name : "\(name)Request"
    }

    /// `read_user` of `read_user_api_users__id__get`, as FastAPI makes an ID of a function, the path and the method.
    /// `nil` for another ID.
    private static func functionName(_ operation: DocumentedOperation) -> String? {
        let method = operation.method.lowercased()
        let route = String("\(operation.path) \(method)".map { $0.isLetter || $0.isNumber ? $0 : "_" })
        guard let id = operation.id, id.hasSuffix(route), id.count > route.count else { return nil }
        return String(id.dropLast(route.count))
    }

    /// `get users by id`.
    private static func words(of path: String, _ method: String) -> String {
        let parts = PathTemplate(path).pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .parameter(let name): " by \(name) "
            }
        }
        let words = parts.joined()
        return "\(method) \(words.allSatisfy { $0 == "/" } ? "root" : words)"
    }
}
