import Foundation

extension StubbedCall {
    /// The name of the GraphQL operation: in the query of a `GET`, in the JSON of the body, or in that of a form with
    /// files; `nil` if there is none.
    public var operationName: String? {
        let name = "operationName"
        if let item = queryItem(name) { return item }
        guard body.range(of: Data(name.utf8)) != nil else { return nil }
        let json = body.graphQLCall(ofType: headers["Content-Type"])
        let call = try? JSONDecoder().decode(GraphQLOperation.self, from: json)
        return call?.operationName
    }

    /// The method, the URL, and the name of the GraphQL operation or the template of the path, for a message:
    /// `POST https://… (operation Hero)`, `GET https://…/books/7 (/books/{id})`.
    var words: String {
        guard let name = operationName, name.wholeMatch(of: /[_A-Za-z][_0-9A-Za-z]{0,99}/) != nil else {
            return pathTemplate.map { $0.contains("{") ? "\(description) (\($0))" : description } ?? description
        }
        return "\(description) (operation \(name))"
    }
}

extension Data {
    /// The JSON of a GraphQL call whose body this is: the body itself, or the first part of a form with files (GraphQL
    /// multipart request specification).
    package func graphQLCall(ofType type: String?) -> Data {
        guard type?.lowercased().hasPrefix("multipart/form-data") ?? false,
            let field = range(of: Data("name=\"operations\"".utf8)),
            let head = range(of: Data("\r\n\r\n".utf8), in: field.upperBound..<endIndex),
            let end = range(of: Data("\r\n--".utf8), in: head.upperBound..<endIndex)
        else { return self }
        return self[head.upperBound..<end.lowerBound]
    }
}

private struct GraphQLOperation: Decodable {
    var operationName: String?
}
