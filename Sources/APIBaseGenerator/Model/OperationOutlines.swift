import OpenAPIDocument

/// The operations of a document in their order, with the names of their classes.
enum OperationOutlines {
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    static func read(_ document: Document, overrides: [String: String]) -> [OperationOutline] {
        var names = NameTable(taken: ReservedNames.types, ignoringCase: true)
        let paths = document.root["paths"]?.members ?? []
        let count = paths.reduce(0) { sum, path in sum + operations(of: path.node).count }
        var functions: [String: Int] = [:]
        for (path, item) in paths {
            for (method, node) in operations(of: item) {
                if let function = node.text("operationId").flatMap({ functionName($0, method, path) }) {
                    functions[function, default: 0] += 1
                }
            }
        }
        return paths.flatMap { path, item -> [OperationOutline] in
            guard path.hasPrefix("/") else {
                if !path.hasPrefix("x-") { document.warnings.add(item.pointer, "a path begins with a slash") }
                return []
            }
            guard let item = document.resolved(item) else { return [] }
            return operations(of: item).compactMap { method, node in
                guard node.json.object != nil else { return nil }
                guard method.isToken else {
                    document.warnings.add(node.pointer, "a method is a token")
                    return nil
                }
                let id = node.text("operationId")
                let function = id.flatMap { functionName($0, method, path) }.flatMap { functions[$0] == 1 ? $0 : nil }
                let wanted = leafName(method, path, id, function, overrides)
                return OperationOutline(
                    method: method,
                    path: path,
                    node: node,
                    item: item,
                    leafName: names.take(wanted),
                    group: tag(of: node) ?? (count > smallCount ? firstPart(of: path) : "")
                )
            }
        }
    }

    /// The operations of a path with their methods; `additionalOperations` has those that have no field of their own.
    private static func operations(of item: Node) -> [(method: String, node: Node)] {
        item.members.flatMap { name, node -> [(method: String, node: Node)] in
            if name == "additionalOperations" { return node.members.map { ($0.name, $0.node) } }
            return methods.contains(name) ? [(name.uppercased(), node)] : []
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
        _ method: String,
        _ path: String,
        _ id: String?,
        _ function: String?,
        _ overrides: [String: String]
    ) -> String {
        let id = id.flatMap { Words($0).isEmpty ? nil : $0 }
        let name =
            overrides[id ?? "\(method) \(path)"]
            ?? Identifier.type(function ?? id ?? words(of: path, method.lowercased()))
        return name.hasSuffix("Request") ? name : "\(name)Request"
    }

    /// `read_user` of `read_user_api_users__id__get`, as FastAPI makes an ID of a function, the path and the method.
    /// `nil` for another ID.
    private static func functionName(_ id: String, _ method: String, _ path: String) -> String? {
        let route = String("\(path) \(method.lowercased())".map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return id.hasSuffix(route) && id.count > route.count ? String(id.dropLast(route.count)) : nil
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

/// A path with parameters: `/pets/{petId}.json`.
struct PathTemplate {
    enum Piece: Hashable {
        case text(String)
        case parameter(String)
    }

    let pieces: [Piece]

    init(_ path: String) {
        var pieces: [Piece] = []
        var rest = path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            pieces.append(.parameter(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    /// Whether a text has one half of a pair of braces.
    var hasBrace: Bool { pieces.contains { if case .text(let text) = $0 { text.contains(/[{}]/) } else { false } } }

    var parameterNames: [String] {
        pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}
