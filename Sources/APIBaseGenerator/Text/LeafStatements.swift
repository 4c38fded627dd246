import OpenAPIDocument

/// The statements of a leaf's initializer: one for each thing that it says.
struct LeafStatements {
    let operation: Operation
    let arguments: LeafArguments
    let usual: Security.Requirement

    var all: [String] {
        let parameters = arguments.parameters
        let cookies = parameters.filter { $0.parameter.location == .cookie }
        let queries = parameters.filter { $0.parameter.location == .query }
        let headers = parameters.filter { $0.parameter.location == .header }
        // What undoes the credentials of the class comes before parameters that may have the same place.
        return parts + ["super.init(\(endpoint))"] + credentials + fixedQuery
            + queries.flatMap { QueryStatements(owner: member("query")).statements($0.parameter, $0.argument) }
            + headers.map { "\(member("headers"))[\(Literal.string($0.parameter.key))] = \(texts(of: $0.argument))" }
            + cookieStatement(cookies)
            + settings
    }

    /// A member of the class, with `self.` where a parameter has its name.
    private func member(_ name: String) -> String {
        arguments.all.contains { $0.name == name } ? "self.\(name)" : Identifier.escaped(name)
    }

    private var settings: [String] {
        var statements: [String] = []
        if let mediaType { statements.append("\(member("contentType")) = \(Literal.string(mediaType))") }
        if !operation.accepts.isEmpty {
            let types = operation.accepts.map(Literal.string).joined(separator: ", ")
            statements.append("\(member("acceptedTypes")) = [\(types)]")
        }
        if let server = operation.server {
            statements.append("\(member("baseURL")) = URL(string: \(Literal.string(server)))")
        }
        return statements
    }

    private var credentials: [String] {
        operation.security.map { SecurityStatements(member: member).replacing(usual, by: $0) } ?? []
    }

    private var mediaType: String? {
        switch operation.body {
        case .json(_, _, let mediaType): mediaType
        case .bytes(_, let mediaType): mediaType
        case .none, .form, .multipart, .text: nil
        }
    }

    // MARK: Method, path and body

    private var endpoint: String {
        let method = operation.outline.method
        let body = bodyArgument
        let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY"].contains(method)
        let takesBody = method != "DELETE" || body?.hasPrefix("json:") != false
        let list = [path, body].compactMap(\.self)
        if known, takesBody { return ".\(method.lowercased())(\(list.joined(separator: ", ")))" }
        let hasName = known || method == "OPTIONS"
        let name = hasName ? ".\(method.lowercased())" : "HTTPMethod(rawValue: \(Literal.string(method)))"
        return ".init(\(([name] + list).joined(separator: ", ")))"
    }

    private var bodyArgument: String? {
        guard let argument = arguments.body else { return arguments.parts.isEmpty ? nil : "content: .multipart(parts)" }
        let name = argument.escapedName
        func content(_ make: (String) -> String) -> String {
            "content: \(argument.isRequired ? make(name) : "\(name).map { \(make("$0")) }")"
        }
        switch operation.body {
        case .json: return "json: \(name)"
        case .form(let type, _, let lists):
            let arrays = type.hasListsOfObjects ? "indices" : lists
            let style = arrays.map { ", style: QueryStyle(arrays: .\($0))" } ?? ""
            return content { ".form(\($0)\(style))" }
        case .multipart: return content { ".multipart(\($0))" }
        case .text(_, let mediaType):
            return content { ".data(Data(\($0).utf8), type: \(Literal.string(mediaType)))" }
        case .bytes: return "content: \(name)"
        case .none: return nil
        }
    }

    private var path: String {
        let pieces = PathTemplate(operation.path).pieces.map { piece in
            switch piece {
            case .text(let text): return Literal.escaped(text)
            case .parameter(let name):
                guard
                    let found = arguments.parameters.first(where: {
                        $0.parameter.location == .path && $0.parameter.key == name
                    })
                else { return "" }
                return segment(found.parameter, found.argument)
            }
        }
        return "\"\(pieces.joined())\""
    }

    private func segment(_ parameter: Parameter, _ argument: LeafArguments.Argument) -> String {
        let separator = parameter.style == "label" && parameter.explodes ? "." : ","
        let name = Literal.string(parameter.key)
        let text = "\\(segment: \(plainText(of: argument, separator)), named: \(name))"
        switch parameter.style {
        case "label": return ".\(text)"
        case "matrix": return ";\(Literal.escaped(parameter.key))=\(text)"
        default: return text
        }
    }

    private func plainText(of argument: LeafArguments.Argument, _ separator: String) -> String {
        switch argument.type {
        case .string, .int, .int64, .uint64, .double, .bool: argument.escapedName
        case .declared(let declaration) where declaration.enumeration != nil: "\(argument.escapedName).rawValue"
        default: "\(argument.escapedName).queryTexts.joined(separator: \"\(separator)\")"
        }
    }

    /// The value as the text of a header.
    private func texts(of argument: LeafArguments.Argument) -> String {
        let name = argument.isRequired ? argument.escapedName : "\(argument.escapedName)?"
        switch argument.type {
        case .string: return argument.escapedName
        case .declared(let declaration) where declaration.enumeration?.raw == .string: return "\(name).rawValue"
        default: return "\(name).queryTexts.joined(separator: \",\")"
        }
    }

    private var fixedQuery: [String] {
        operation.fixedQuery.map { "\(member("query"))[\(Literal.string($0.name))] = \(Literal.string($0.value))" }
    }

    private func cookieStatement(_ cookies: [(parameter: Parameter, argument: LeafArguments.Argument)]) -> [String] {
        var pairs = cookies.map { parameter, argument in
            let text = "\(argument.isRequired ? argument.escapedName : "$0").queryTexts.joined(separator: \",\")"
            let value = argument.type == .string ? argument.isRequired ? argument.escapedName : "$0" : text
            let pair = "\"\(Literal.escaped(parameter.key))=\\(\(value))\""
            return argument.isRequired ? pair : "\(argument.escapedName).map { \(pair) }"
        }
        guard let first = pairs.first else { return [] }
        let headers = member("headers")
        // What the class has set for its credentials stays.
        let shown = operation.security ?? usual
        let hasOther = shown.schemes.contains { if case .cookie = $0.kind { true } else { false } }
        if hasOther { pairs.insert("\(headers)[\"Cookie\"]", at: 0) }
        if pairs.count == 1 { return ["\(headers)[\"Cookie\"] = \(first)"] }
        let list = "[\(pairs.joined(separator: ", "))] as [String?]"
        return ["\(headers)[\"Cookie\"] = (\(list)).compactMap(\\.self).joined(separator: \"; \")"]
    }

    // MARK: Forms with files

    private var parts: [String] {
        guard !arguments.parts.isEmpty else { return [] }
        return ["var parts: [MultipartPart] = []"]
            + arguments.parts.map { named, argument in
                let key = Literal.string(named.key)
                let type = named.mediaType.map { ", type: \(Literal.string($0))" } ?? ""
                func part(_ content: String) -> String { "MultipartPart(name: \(key)\(type), content: \(content))" }
                let name = argument.escapedName
                let optional = argument.isRequired ? name : "(\(name) ?? [])"
                switch argument.type {
                case .file:
                    return argument.isRequired
                        ? "parts.append(\(part(name)))" : "if let \(name) { parts.append(\(part(name))) }"
                case .array(.file): return "parts += \(optional).map { \(part("$0")) }"
                case .string, .int, .int64, .uint64, .double, .bool:
                    let field = "parts.append(MultipartPart(name: \(key), value: \(name)))"
                    return argument.isRequired ? field : "if let \(name) { \(field) }"
                case .data:
                    let field = "parts.append(MultipartPart(name: \(key), value: \(name).base64EncodedString()))"
                    return argument.isRequired ? field : "if let \(name) { \(field) }"
                case let type where type.isQueryValue:
                    let texts = argument.isRequired ? "\(name).queryTexts" : "(\(name)?.queryTexts ?? [])"
                    return "parts += \(texts).map { MultipartPart(name: \(key), value: $0) }"
                default:
                    let json = part(".json(\(name))")
                    return argument.isRequired ? "parts.append(\(json))" : "if let \(name) { parts.append(\(json)) }"
                }
            }
    }
}
