import OpenAPIDocument

/// An operation of a draft: what its calls have in common.
struct DraftOperation {
    let path: String
    let method: String
    private let parameters: [JSON]
    private let isBodyRequired: Bool
    private let body: DraftContent?
    private let replies: [(status: Int, content: DraftContent?)]

    /// Reads its calls. `headers` are those that are no parameters of it, in lower case.
    init(_ path: String, _ method: String, _ calls: [HARFile.Call], without headers: Set<String>) {
        (self.path, self.method) = (path, method)
        parameters =
            PathTemplate(path).parameterNames.map(DraftParameter.path) + DraftParameter.others(calls, without: headers)
        isBodyRequired = calls.allSatisfy(\.request.isPresent)
        body = DraftContent(calls.map(\.request), at: ShapePlace(method, path, isSent: true))
        replies = calls.filter(\.isAnswered).grouped(by: \.status).sorted { $0.key < $1.key }.map { status, calls in
            let place = ShapePlace(method, path, isSent: false, isFailure: status >= 400)
            return (status, status == 204 ? nil : DraftContent(calls.map(\.reply), at: place))
        }
    }

    /// The shapes of its JSON, each with its place.
    var messages: [(shape: Shape, place: ShapePlace)] {
        (replies.map(\.content) + [body]).compactMap(\.self).compactMap { content in
            content.json.map { ($0, content.place) }
        }
    }

    func json(_ writer: inout ShapeWriter) -> JSON {
        let content = body?.json(&writer)
        let responses = replies.map { status, content -> (String, JSON) in
            ("\(status)", ["description": .string("\(status)"), "content": content?.json(&writer)])
        }
        return [
            "parameters": JSON.array(parameters).unlessEmpty,
            "requestBody": content.map { ["required": .bool(isBodyRequired), "content": $0] },
            "responses": .members(responses),
        ]
    }
}

/// The bodies of the calls of an operation, or of its replies.
struct DraftContent {
    let place: ShapePlace
    /// The shape of JSON; `nil` if there is none.
    let json: Shape?
    private let type: String
    private let form: JSON?

    /// Returns `nil` if there are no bodies.
    init?(_ contents: [HARFile.Content], at place: ShapePlace) {
        guard let type = contents.map(\.type.text).first(where: { !$0.isEmpty }) else { return nil }
        (self.type, self.place) = (type, place)
        let samples = contents.compactMap(\.json)
        json = samples.isEmpty ? nil : Shape(samples)
        form = samples.isEmpty ? DraftParameter.form(contents.map(\.fields)) : nil
    }

    /// The media type with the schema.
    func json(_ writer: inout ShapeWriter) -> JSON {
        .members([(type, ["schema": json.map { writer.schema($0, at: place) } ?? form])])
    }
}
