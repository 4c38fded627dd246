import Foundation

extension StubbedCall {
    /// The name of the GraphQL operation: in the query of a `GET`, in the JSON of the body, or in that of a form with
    /// files; `nil` if there is none.
    public var operationName: String? {
        let name = "operationName"
        if let item = queryItem(name) { return item }
        guard body.range(of: Data(name.utf8)) != nil else { return nil }
        let call = try? JSONDecoder().decode(GraphQLOperation.self, from: operations ?? body)
        return call?.operationName
    }

    /// The JSON in a form with files (GraphQL multipart request specification), whose first part it is; `nil` if the
    /// body is no form.
    private var operations: Data? {
        guard headers["Content-Type"]?.lowercased().hasPrefix("multipart/form-data") ?? false,
            let field = body.range(of: Data("name=\"operations\"".utf8)),
            let head = body.range(of: Data("\r\n\r\n".utf8), in: field.upperBound..<body.endIndex),
            let end = body.range(of: Data("\r\n--".utf8), in: head.upperBound..<body.endIndex)
        else { return nil }
        return body[head.upperBound..<end.lowerBound]
    }
}

private struct GraphQLOperation: Decodable {
    var operationName: String?
}
